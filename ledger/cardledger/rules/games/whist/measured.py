"""What was measured of Whist with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["whist/1",4,[["trumps","turned"],["honours",false]],null]': (24656, 17199, 24656, 17199),
    },
    accuracy={4: Scale(0.0206, 0.0412, 6.12e-06, 4.44e-05, -9.87e-06)},  # from 150 hands
    mistakes=0.037,
    search_helps=True,
)
