"""What was measured of Diamonds (bidding) with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["diamonds-bid/1",2,[],null]': (2319862, 2325615),
        '["diamonds-bid/1",3,[],null]': (941751, 947743, 942855),
        '["diamonds-bid/1",4,[],null]': (502132, 500519, 502033, 506741),
        '["diamonds-bid/1",5,[],null]': (285078, 282130, 281229, 280216, 283202),
        '["diamonds-bid/1",6,[],null]': (168506, 167780, 169663, 167060, 168101, 166404),
        '["diamonds-bid/1",7,[],null]': (109788, 112136, 114696, 111889, 116228, 114955, 115039),
        '["diamonds-bid/1",8,[],null]': (76596, 76004, 76503, 77204, 75595, 77923, 74707, 74444),
    },
    accuracy={4: Scale(0.0833, 5.06, 0.00244, 0.0352, -0.00558)},
    mistakes=0.027,
    search_helps=True,
)
