"""The modules of the product can be put in an order in which each imports only earlier ones."""

from graphlib import TopologicalSorter

import grimp


def test_no_module_imports_itself_through_others() -> None:
    graph = grimp.build_graph("deploy", "tournament", "ratings", "games")
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}

    order = list(TopologicalSorter(imports).static_order())  # raises CycleError with the cycle

    assert order.index("deploy.streams") < order.index("deploy.asgi")
