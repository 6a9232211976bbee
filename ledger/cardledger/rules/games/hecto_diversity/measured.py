"""What was measured of Diversity (Hectoedra) with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["hecto-diversity/1",2,[["layout","8x10"]],null]': (-22016, 7656),
        '["hecto-diversity/1",2,[["layout","10x8"]],null]': (-63831, -37849),
        '["hecto-diversity/1",3,[["layout","8x10"]],null]': (-30453, -3881, 21074),
        '["hecto-diversity/1",3,[["layout","10x8"]],null]': (-62438, -29433, -6829),
        '["hecto-diversity/1",4,[["layout","8x10"]],null]': (-38895, -13685, 8373, 29807),
        '["hecto-diversity/1",4,[["layout","10x8"]],null]': (-59401, -36346, -7385, 3992),
        '["hecto-diversity/1",5,[["layout","8x10"]],null]': (-48623, -24083, 1371, 19643, 37652),
        '["hecto-diversity/1",5,[["layout","10x8"]],null]': (-63580, -38771, -19351, 1434, 18408),
        '["hecto-diversity/1",6,[["layout","8x10"]],null]': (-62031, -28253, -3670, 5626, 26420, 47408),
        '["hecto-diversity/1",6,[["layout","10x8"]],null]': (-68990, -48649, -24057, -336, 10434, 29658),
        '["hecto-diversity/1",7,[["layout","8x10"]],null]': (-65599, -36431, -21556, 1977, 16732, 39105, 52152),
        '["hecto-diversity/1",7,[["layout","10x8"]],null]': (-73247, -44639, -31404, -14246, 5754, 21377, 34285),
        '["hecto-diversity/1",8,[["layout","8x10"]],null]': (-72824, -47885, -21206, -1328, 9415, 23771, 43150, 53127),
        '["hecto-diversity/1",8,[["layout","10x8"]],null]': (
            -72381,
            -50646,
            -38562,
            -18405,
            -2782,
            11639,
            28523,
            41934,
        ),
    },
    accuracy={4: Scale(0.00435, 1.34, 0.000455, 0.00349, -0.000743)},
    mistakes=0.005,
    search_helps=False,
)
