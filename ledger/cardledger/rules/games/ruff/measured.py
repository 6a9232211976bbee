"""What was measured of both games with their bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["ruff/1",3,[],null]': (101258, 99361, 99381),
        '["ruff/1",4,[],null]': (61099, 59232, 59521, 60148),
        '["ruff/1",5,[],null]': (40514, 39933, 39316, 39908, 40329),
    },
    accuracy={4: Scale(0.0349, 0.0917, 4.35e-06, 3.05e-05, -6.84e-06)},
    mistakes=0.083,
    search_helps=True,
)
MEASURED_2 = Measured(
    expected={
        '["ruff-2/1",3,[],null]': (101263, 99193, 99544),
        '["ruff-2/1",4,[],null]': (60837, 59362, 59339, 60462),
        '["ruff-2/1",5,[],null]': (40221, 39872, 39926, 40132, 39849),
    },
    accuracy={4: Scale(0.0338, 0.087, 4.04e-06, 2.97e-05, -7e-06)},
    mistakes=0.081,
    search_helps=True,
)
