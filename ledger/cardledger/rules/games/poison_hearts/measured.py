"""What was measured of Poison Hearts with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["poison-hearts/1",3,[["double_suits",false]],null]': (148822, 144906, 147996),
        '["poison-hearts/1",3,[["double_suits",true]],null]': (174920, 170505, 173704),
        '["poison-hearts/1",4,[["double_suits",false]],null]': (118758, 116506, 115903, 117939),
        '["poison-hearts/1",4,[["double_suits",true]],null]': (140211, 139449, 139418, 141119),
        '["poison-hearts/1",5,[["double_suits",false]],null]': (103335, 101469, 100423, 101036, 100768),
        '["poison-hearts/1",5,[["double_suits",true]],null]': (121293, 119173, 117021, 117689, 118049),
        '["poison-hearts/1",6,[["double_suits",false]],null]': (88013, 85014, 83571, 82174, 81415, 80095),
        '["poison-hearts/1",6,[["double_suits",true]],null]': (101894, 99380, 95906, 95551, 95442, 94451),
    },
    accuracy={4: Scale(0.232, 0.152, 8.97e-05, 0.000333, -9.93e-05)},
    mistakes=0.081,
    search_helps=True,
)
