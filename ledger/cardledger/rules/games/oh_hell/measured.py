"""What was measured of Oh Hell with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["oh-hell/1",3,[["order","down-up"],["most",10],["hook",true],["scoring","exact"],["points_per_trick",1],["bonus",10]],[1]]': (
            73415,
            72285,
            75450,
        ),
        '["oh-hell/1",4,[["order","down-up"],["most",10],["hook",true],["scoring","exact"],["points_per_trick",1],["bonus",10]],[1]]': (
            103425,
            108767,
            110890,
            109225,
        ),
        '["oh-hell/1",5,[["order","down-up"],["most",10],["hook",true],["scoring","exact"],["points_per_trick",1],["bonus",10]],[1]]': (
            107261,
            116202,
            113397,
            112534,
            111480,
        ),
        '["oh-hell/1",6,[["order","down-up"],["most",8],["hook",true],["scoring","exact"],["points_per_trick",1],["bonus",10]],[1]]': (
            111420,
            115511,
            112614,
            111037,
            111614,
            115794,
        ),
        '["oh-hell/1",7,[["order","down-up"],["most",7],["hook",true],["scoring","exact"],["points_per_trick",1],["bonus",10]],[1]]': (
            114071,
            115707,
            112655,
            112404,
            111639,
            111991,
            113922,
        ),
    },
    accuracy={4: Scale(0.283, 0.398, 0.000216, 0.000635, -0.000235)},
    mistakes=0.048,
    search_helps=True,
)
