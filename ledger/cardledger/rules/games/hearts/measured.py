"""What was measured of Hearts with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["hearts/1",4,[["pass","cycle"],["moon","others"],["break_hearts",true],["queen_breaks",false],["clean_first_trick",true],["any_club",false],["hearts_for_queen",false],["jack",false],["no_trick_bonus",false]],[1]]': (
            138106,
            134718,
            134496,
            135144,
        ),
    },
    accuracy={4: Scale(0.144, 0.798, 0.000225, 0.00222, -0.00043)},
    mistakes=0.043,
    search_helps=True,
)
