"""What a deal is worth on average to each seat: points over 20,000 random deals, each replayed once.

Made by `python -m tests.bench.expected`; a test makes some of them again.
"""

EXPECTED: dict[str, tuple[int, ...]] = {
    '["diversity/1",4,[],null]': (58018, 69486, 67266, 65230),
    '["diamonds-bid/1",2,[],null]': (2322911, 2321729),
    '["diamonds-bid/1",3,[],null]': (939927, 951247, 939151),
    '["diamonds-bid/1",4,[],null]': (505485, 505569, 501426, 505906),
    '["diamonds-bid/1",5,[],null]': (281467, 283272, 284853, 277827, 281834),
    '["diamonds-bid/1",6,[],null]': (167494, 167018, 167773, 164065, 167550, 166435),
    '["diamonds-bid/1",7,[],null]': (110730, 111857, 110640, 114694, 112887, 117283, 113482),
    '["diamonds-bid/1",8,[],null]': (75713, 74604, 74461, 76823, 75318, 76200, 77852, 77181),
    '["poison-hearts/1",3,[["double_suits",false]],null]': (149598, 144708, 147747),
    '["poison-hearts/1",4,[["double_suits",false]],null]': (118119, 116957, 116852, 118022),
    '["poison-hearts/1",5,[["double_suits",false]],null]': (104703, 101106, 101507, 99505, 100538),
    '["poison-hearts/1",6,[["double_suits",false]],null]': (88706, 84031, 81920, 82758, 81184, 80686),
    '["hecto-diversity/1",2,[["layout","8x10"]],null]': (-20978, 7058),
    '["hecto-diversity/1",3,[["layout","8x10"]],null]': (-31537, -1677, 19534),
    '["hecto-diversity/1",4,[["layout","8x10"]],null]': (-37921, -10090, 5350, 27901),
    '["hecto-diversity/1",5,[["layout","8x10"]],null]': (-54633, -20370, -716, 23930, 37369),
    '["hecto-diversity/1",6,[["layout","8x10"]],null]': (-57010, -31391, -9297, 11747, 27474, 44637),
    '["hecto-diversity/1",7,[["layout","8x10"]],null]': (-65102, -38488, -21055, -696, 21442, 39007, 51232),
    '["hecto-diversity/1",8,[["layout","8x10"]],null]': (-71673, -45641, -25397, -5745, 11694, 30625, 42960, 49237),
    '["ruff/1",3,[],null]': (101522, 98963, 99515),
    '["ruff/1",4,[],null]': (60699, 59585, 59606, 60110),
    '["ruff/1",5,[],null]': (40282, 39882, 39766, 39903, 40167),
    '["ruff-2/1",3,[],null]': (101220, 99432, 99348),
    '["ruff-2/1",4,[],null]': (60528, 59830, 59386, 60256),
    '["ruff-2/1",5,[],null]': (40289, 40295, 39705, 39759, 39952),
    '["diamonds-draw/1",2,[],null]': (265267, 278090),
    '["diamonds-draw/1",3,[],null]': (129331, 137389, 133883),
    '["diamonds-draw/1",4,[],null]': (82288, 89353, 82017, 82511),
    '["diamonds-draw/1",5,[],null]': (65218, 72179, 68270, 67101, 65642),
    '["diamonds-draw/1",6,[],null]': (51181, 59345, 51762, 51290, 51087, 49681),
}
"""Points added up by seat from the dealer on; options are as they are by default, and nobody owes cards."""
