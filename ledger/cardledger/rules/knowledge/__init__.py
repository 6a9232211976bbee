"""Knowledge: what a seat can know of the cards it has not seen, counted exactly over every deal that fits."""

from cardledger.rules.engine.deals import ImpossibleError, PossibleDeals
from cardledger.rules.knowledge.seat_knowledge import CardKnowledge, Denial, SeatKnowledge, knowledge

__all__ = ["CardKnowledge", "Denial", "ImpossibleError", "PossibleDeals", "SeatKnowledge", "knowledge"]
