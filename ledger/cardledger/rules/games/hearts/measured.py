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
    accuracy={4: Scale(0.141, 0.797, 0.000237, 0.00211, -0.000429)},
    mistakes=0.043,
    search_helps=True,
)
