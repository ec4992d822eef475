// The secret of a link follows the `#` of its address, which browsers do not send: put it into the
// field that `data-field` names, hide that, and send the form if `data-send` is there.
const { field: fieldName, send } = document.querySelector("script[data-field]").dataset;

function readFragment() {
  const secret = location.hash.slice(1).replaceAll("%3A", ":");
  const field = document.getElementById(`field-${fieldName}`);
  if (!secret || !field || document.getElementById(secret)) return;
  history.replaceState(null, "", location.pathname + location.search);
  field.value = secret;
  field.closest(".field").hidden = true;
  if (send !== undefined) field.form.requestSubmit();
}

window.addEventListener("hashchange", readFragment);
readFragment();
