"""The examples of files in the API description; a test sends the requests and compares the rest.

They belong to one event: importing the TRF file creates it, the others are imported into it or
exported from it.
"""

from drf_spectacular.utils import OpenApiExample

TRF_EXAMPLE = """\
012 Spring Open
042 2027/04/10
052 2027/04/10
092 Individual: Swiss-System
001    1      Ada                               1900 POR                         1.0    1     2 w 1
001    2      Ben                               1850 CAN                         0.0    2     1 b 0
XXR 1
XXC white1
212 PTS,BH
"""
ENTRIES_EXAMPLE = """\
name,country,seed_rating,birth_year,sex,category
Ada,POR,1900,1990,w,
Ben,CAN,1850,2011,m,junior
"""
RECORDS_EXAMPLE = """\
[Round "1"]
[Table "1"]
[Game "star-star"]
[Board "4"]

1. S20 T10 2. A10 R10 3. *10 S10 agreed 11-10
"""
STANDINGS_EXAMPLE = "rank,number,name,PTS,BH,withdrawn,corrections\n1,1,Ada,1,0,,\n2,2,Ben,0,1,,\n"
CROSSTABLE = (
    "line,rank,number,name,1,points,withdrawn,corrections\n1,1,1,Ada,2f1,1,,\n2,2,2,Ben,1s0,0,,\n"
)
PRIZES = "group,place,number,name,amount,currency\nfirst,1,1,Ada,100.00,EUR\n"
CLUBS = 'rank,name,points,missing,numbers,players\n1,Rooks,1,3,1,"Ada (1, 1)"\n'


def request_example(text: str, media_type: str, name: str) -> list[OpenApiExample]:
    """Return the example of a request body."""
    return [OpenApiExample(name, text, media_type=media_type, request_only=True)]


def response_example(text: str) -> list[OpenApiExample]:
    """Return the example of a table as CSV."""
    return [
        OpenApiExample(
            "as CSV", text, media_type="text/csv", response_only=True, status_codes=["200"]
        )
    ]
