"""Lists as other programs write them, with invented people, are read without a word by hand."""

from typing import Any

import pytest

from games.core.uploads.headings import BY_HEADING, HEADINGS, fold_heading
from games.core.uploads.lists import read_rows
from games.players.imports import PLAYER_IMPORT_COLUMNS, REQUIRED, full_name_of

CHESS_RESULTS = """From the Tournament-Database of Swiss-Manager http://chess-results.com
Club Open 2026
Last update 01.05.2026, Creator: "Rook"
Starting rank list

No.;;Name;FideID;FED;Rtg;Club/City
1;GM;Alvarez, Bo;01503014;SWE;2020;Club A
2;;Berg, Cy;00000000;SWE;0;Club B
3;WFM;Dahl, Ed;1700001.0;SWE;unr.;
;;Sum;;;;
Program Swiss-Manager by H. Herzog, www.swiss-manager.at
"""
LISTS: dict[str, tuple[str, list[tuple[Any, ...]]]] = {
    # the file, and the name, country, rating, FIDE id, year of birth of each line
    "chess-results, with lines above and below": (
        CHESS_RESULTS,
        [
            ("Alvarez, Bo", "SWE", 2020, "1503014", None),
            ("Berg, Cy", "SWE", 0, "", None),
            ("Dahl, Ed", "SWE", 0, "1700001", None),
        ],
    ),
    "chess-results, commas and quotes": (
        'No.,,Name,FideID,FED,Rtg,Club/City\n1,GM,"Alvarez, Bo",1503014,SWE,2020,Club A\n'
        '2,,"Berg, Cy",,SWE,0,"Club, B"\n',
        [("Alvarez, Bo", "SWE", 2020, "1503014", None), ("Berg, Cy", "SWE", 0, "", None)],
    ),
    "chess-results in Spanish": (
        "No.Ini.;;Nombre;FideID;FED;EloI;EloN;Tipo;Club/Ciudad\n"
        "1;FM;Vega Ruiz, Ana;2200001;ESP;0;1888;S50;Ajoblanco\n",
        [("Vega Ruiz, Ana", "ESP", 1888, "2200001", None)],
    ),
    "Swiss-Manager": (
        "No.\t\tName\tFideID\tFED\tRtgI\tRtgN\tBirth\tClub\n"
        "1\tGM\tAlvarez, Bo\t1503014\tSWE\t2020\t1995\t1961/04/03\tClub A\n"
        "2\t\tBerg, Åsa\t\tSWE\t-\t1410\t1999\t\n",
        [
            ("Alvarez, Bo", "SWE", 2020, "1503014", 1961),
            ("Berg, Åsa", "SWE", 1410, "", 1999),
        ],
    ),
    "Swiss-Manager in German": (
        "Nr;Name;Titel;Identnr;EloNat;EloInt;Geburt;Fed;Sex;Nachname;Vorname\n"
        "1;Verne Ada;WGM;;0;2447;01.06.1992;SUI;W;Verne;Ada\n",
        [("Verne, Ada", "SUI", 2447, None, 1992)],
    ),
    "several words in a heading, and what stands for none": (
        "Surname and first name;Elo/DWZ;FIDE-ID;Born;Country;Ranking\n"
        "Verne, Ada;1450P12;1.503.014;31-May-90;Holland;1\n"
        "Berg, Cy;Restp.;#N/A;??.??.1990;U.S.A.;2\nDahl, Ed;new;none;?;;3\n",
        [
            ("Verne, Ada", "NED", 1450, "1503014", 1990),
            ("Berg, Cy", "USA", 0, "", 1990),
            ("Dahl, Ed", "", 0, "", None),
        ],
    ),
    "SwissChess": (
        "TlnNr\tTeilnehmer\tTitel\tELO\tNWZ\tAttr.\tVerein/Ort\tLand\tGeburt\tFideKenn.\tPKZ\n"
        "1.\tMüller,Hans\tFM\t\t1873-45\t\tSK Köln\tGER\t1980\t04600001\t10012345\n",
        [("Müller,Hans", "GER", 1873, "4600001", 1980)],
    ),
    "Vega's archive": (
        "NAME;COUNTRY;BIRTHDAY;GENDER;TITLE;IDFIDE;ELOFIDE;IDNAT;ELONAT;KCOEFF\n"
        "BELLA ADA ; IT;13.04.63;f;IGM; 4100018; 2830; 0; 0; 0\n"
        "ROSSI BEN ;ITA;00.00.00;m;NC;0;0;123;1440;0\n",
        [
            ("BELLA ADA", "ITA", 2830, "4100018", 1963),
            ("ROSSI BEN", "ITA", 1440, "", None),
        ],
    ),
    "Vega": (
        "Name;Title;FIDE id;Rating;Fed;Born;Sex\n"
        "ALVAREZ Bo;GM;1503014;2020;SWE;03/04/1961;m\nBERG Cy;;0;0;SWE;;f\n",
        [("ALVAREZ Bo", "SWE", 2020, "1503014", 1961), ("BERG Cy", "SWE", 0, "", None)],
    ),
    "OpenGotha": (
        "Name;FirstName;Rank;Country;Club;\nVerne;Ada;2D;FR;35Re;\nBerg;Cy;5K;SE;Gtb;\n",
        [("Verne, Ada", "FRA", None, None, None), ("Berg, Cy", "SWE", None, None, None)],
    ),
    "OpenGotha, separated by bars": (
        "Name|FirstName|Country|EgfPin\nVerne|Ada|FR|00012345\n",
        [("Verne, Ada", "FRA", None, None, None)],
    ),
    "Swiss Perfect": (
        "No,Name,Feder,Intl Id,Rtg,Loc Id,BDate\n1,\"Verne, Ada\",FRA,600001,1900,,28.07.90\n",
        [("Verne, Ada", "FRA", 1900, "600001", 1990)],
    ),
    "a French club, with letters of the federation": (
        "N°;Nom;Prénom;Né(e) le;Cat.;Elo;Fédé;Code FIDE;Club\n"
        "1;VERNE;Ada;28 juil. 1990;SenF;1830 F;FRA;;Rennes\n2;ROUX;Cy;;;1399 E;-;n/a;-\n"
        "Total : 2 joueurs\n",
        [("VERNE, Ada", "FRA", 1830, "", 1990), ("ROUX, Cy", "", 1399, "", None)],
    ),
    "a German club": (
        "Mitgliederliste\n\nLfd. Nr.;Nachname;Vorname;Name;Geb.-Datum;m/w;TWZ;DWZ;Elo\n"
        "1;Müller;Ada;Müller Ada;28. 07. 2005;w;1900;1850;1950\n"
        "2;Groß;Ben;Groß Ben;;m;;1700;\nDurchschnitt;;;;;;;1775;\n",
        [("Müller, Ada", None, 1900, None, 2005), ("Groß, Ben", None, 1700, None, None)],
    ),
    "an Italian club": (
        "Cognome;Nome;Nato;Elo FIDE;Elo Nazionale;Federazione;Circolo\n"
        "Bella;Ada;31/12/1990;0;1500;Italia;Torino\n",
        [("Bella, Ada", "ITA", 1500, None, 1990)],
    ),
    "names in two columns of English": (
        "Name;Surname;Date of birth\nAda;Verne;May 29, 1990\n",
        [("Verne, Ada", None, None, None, 1990)],
    ),
    "notes below in a column that is read": (
        "Club;Pays;Nom\nRooks;SE;Ada\n\nTotal: 1 joueur\nwww.example.org\n",
        [("Ada", "SWE", None, None, None)],
    ),
    "sums below in the column of names": (
        "Name;Elo;Land;Verein\nMüller, Ada;1500;GER;Rooks\nSumme;;;2 Mitglieder\nMedian;1500\n"
        "Ø;1500;;\nAverage rating;1500\nPrinted on 29.11.2026;;;\nAnzahl Spieler;1\n"
        "Total joueurs;1;;\n",
        [("Müller, Ada", "GER", 1500, None, None)],
    ),
    "other words for the columns": (
        "Name;ID Number;Naz.;Geb.-Dat.;Rtng;EloF;NRtg;Circolo/Città;Lizenz\n"
        "Bella, Ada;A1;Svezia;33239;S/E;0;1500;Roma;\n",
        [("Bella, Ada", "SWE", 1500, None, 1991)],
    ),
    "a Polish club": (
        "Lp.;Imię i nazwisko;IDFIDE;FED;RankKraj;Rok urodzenia;Płeć;Klub/miasto\n"
        "1;Ada Wilk;1100001;POL;1600;1990;K;Wieża\n2;Jan Sowa;0;POL;;1991;M;Goniec\n",
        [("Ada Wilk", "POL", 1600, "1100001", 1990), ("Jan Sowa", "POL", None, "", 1991)],
    ),
    "a Dutch club": (
        "Voornaam;Achternaam;KNSB rating;Vereniging/Stad\nAda;Vermeer;1830;Toren\n",
        [("Vermeer, Ada", None, 1830, None, None)],
    ),
    "ratings under the names of federations": (
        "Name;NAT;FIDE\nAda;1505;1500\nBen;-;2400\nCleo;1400;0\n",
        [
            ("Ada", None, 1500, None, None),
            ("Ben", None, 2400, None, None),
            ("Cleo", None, 1400, None, None),
        ],
    ),
    "ratings and ids of FIDE": (
        "Name;FIDE;FIDE ID\nAda;1500;1503014\n", [("Ada", None, 1500, "1503014", None)],
    ),
    "small ids beside our own ratings": (
        "name,fide,seed_rating\nAda,1500,1900\n", [("Ada", None, 1900, "1500", None)],
    ),
    "names with commas below one heading": (
        "Name\nVerne, Ada\n\"Berg, Cy\"\nBen\n",
        [(name, None, None, None, None) for name in ("Verne, Ada", "Berg, Cy", "Ben")],
    ),
    "players under their name": (
        "Player,Rating\nAda,1900\n", [("Ada", None, 1900, None, None)],
    ),
    "ids alone": (
        "FIDE-ID\n01503014\n0\n",
        [("", None, None, "1503014", None), ("", None, None, "", None)],
    ),
    "changes of the rating are none": (
        "Name;Rtg;Rtg+/-;RtgI;K\nAda;1900;-12,4;1910;20\n",
        [("Ada", None, 1900, None, None)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_of_another_program_is_read_as_it_is(kind: str) -> None:
    text, expected = LISTS[kind]
    rows = read_rows(text.encode(), PLAYER_IMPORT_COLUMNS, REQUIRED).rows

    found = [
        (
            full_name_of(row),
            *(row.get(name) for name in ("country", "seed_rating", "fide", "birth_year")),
        )
        for _, row in rows
    ]
    assert found == expected


def test_what_is_left_out_is_said_with_a_sample() -> None:
    file = read_rows(CHESS_RESULTS.encode(), PLAYER_IMPORT_COLUMNS, REQUIRED)

    assert file.left_out == [
        {"column": 1, "heading": "No.", "sample": ["1", "2", "3"]},
        {"column": 2, "heading": "", "sample": ["GM", "WFM"]},
    ]
    assert [note["line"] for note in file.skipped] == [1, 2, 3, 4, 10, 11]
    assert file.skipped[4] == {"line": 10, "text": "Sum"}


def test_each_heading_stands_once_in_the_table_and_is_folded() -> None:
    listed = [heading for headings in HEADINGS.values() for heading in headings]
    assert len(listed) == len(BY_HEADING)
    assert [heading for heading in listed if fold_heading(heading) != heading] == []
