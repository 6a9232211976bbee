"""What was measured of Euchre with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["euchre/1",4,[["stick_dealer",false],["lone_defender",false],["bury_upcard",true]],null]': (
            16527,
            9154,
            16527,
            9154,
        ),
    },
    accuracy={4: Scale(0.0102, 0.0752, 4.36e-06, 4.66e-05, -7.59e-06)},
    mistakes=0.036,
    search_helps=False,
)
