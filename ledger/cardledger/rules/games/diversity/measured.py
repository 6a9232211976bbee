"""What was measured of Diversity with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["diversity/1",4,[],null]': (58187, 69593, 67147, 65073),
    },
    accuracy={4: Scale(0.0684, 0.139, 6.4e-06, 4.18e-05, -9.92e-06)},
    mistakes=0.088,
    search_helps=True,
)
