"""What was measured of Contract bridge with its bot."""

from cardledger.rules import Measured, Scale

MEASURED = Measured(
    expected={
        '["bridge/1",4,[["scoring","duplicate"]],[0]]': (-64640, 64640, -64640, 64640),
        '["bridge/1",4,[["scoring","chicago"]],[0]]': (44170, -44170, 44170, -44170),
        '["bridge/1",4,[["scoring","rubber"]],[0]]': (33690, -33690, 33690, -33690),
    },
    accuracy={4: Scale(60.9, 155, 5.95, 54.3, 1.01)},
    mistakes=0.067,
    search_helps=True,
)
