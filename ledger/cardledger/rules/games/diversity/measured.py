"""What was measured of Diversity with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["diversity/1",4,[],null]': (58187, 69593, 67147, 65073),
    },
    accuracy={4: Scale(0.0658, 0.143, 7.25e-06, 4.37e-05, -1.11e-05)},
    mistakes=0.088,
    search_helps=True,
)
