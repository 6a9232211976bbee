"""What was measured of both games with their bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["ruff/1",3,[],null]': (101258, 99361, 99381),
        '["ruff/1",4,[],null]': (61099, 59232, 59521, 60148),
        '["ruff/1",5,[],null]': (40514, 39933, 39316, 39908, 40329),
    },
    accuracy={4: Scale(0.0394, 0.0805, 3.28e-05, 0.000157, -4.96e-05)},
    mistakes=0.083,
    search_helps=True,
)
MEASURED_2 = Measured(
    expected={
        '["ruff-2/1",3,[],null]': (101263, 99193, 99544),
        '["ruff-2/1",4,[],null]': (60837, 59362, 59339, 60462),
        '["ruff-2/1",5,[],null]': (40221, 39872, 39926, 40132, 39849),
    },
    accuracy={4: Scale(0.0386, 0.0887, 3.21e-05, 0.000236, -6.17e-05)},
    mistakes=0.081,
    search_helps=True,
)
