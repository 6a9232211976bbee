"""What was measured of Spades with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["spades/1",4,[["nil_points",100],["blind_nil",true],["nil_tricks","bags"],["bag_limit",10],["bag_penalty",100],["joint_limit",false],["spade_lead","broken"]],null]': (
            1010958,
            1013578,
            1010958,
            1013578,
        ),
    },
    accuracy={4: Scale(1.23, 9.49, 0.0198, 0.147, -0.0298)},
    mistakes=0.113,
    search_helps=True,
)
