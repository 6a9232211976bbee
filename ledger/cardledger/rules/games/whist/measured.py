"""What was measured of Whist with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["whist/1",4,[["trumps","turned"],["honours",false]],null]': (24656, 17199, 24656, 17199),
    },
    accuracy={4: Scale(0.0184, 0.0411, 2.26e-06, 1.7e-05, -3.66e-06)},
    mistakes=0.037,
    search_helps=True,
)
