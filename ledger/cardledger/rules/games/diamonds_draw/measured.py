"""What was measured of Diamonds (drawing) with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["diamonds-draw/1",2,[],null]': (266218, 277224),
        '["diamonds-draw/1",3,[],null]': (129521, 138121, 132875),
        '["diamonds-draw/1",4,[],null]': (82483, 89099, 82836, 82458),
        '["diamonds-draw/1",5,[],null]': (65281, 72504, 66144, 66948, 67474),
        '["diamonds-draw/1",6,[],null]': (50500, 57753, 51614, 51276, 51351, 51715),
    },
    accuracy={4: Scale(0.0148, 0.581, 6.26e-05, 0.000905, -0.000163)},
    mistakes=0.026,
    search_helps=True,
)
