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
    accuracy={4: Scale(0.00635, 0.0713, 1.11e-05, 0.000139, -2.6e-05)},  # from 150 hands
    mistakes=0.036,
    search_helps=False,
)
