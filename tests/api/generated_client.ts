// What a client that openapi-typescript generated knows: only its types are checked.
import type { components, paths } from "./schema";

type Table = components["schemas"]["Table"];
type Play = components["schemas"]["Play"];
type Append = paths["/api/v1/matches/{match}/events"]["post"];

export async function tables(address: string, match: string): Promise<Table> {
  const answer = await fetch(`${address}/api/v1/matches/${match}/table`);
  return (await answer.json()) as Table;
}

export function first(table: Table): Play | null {
  if (table.status !== "open" || table.phase !== "play") return null;
  const { seat, cards } = table.choices[0] ?? {};
  return seat != null && cards?.length ? { type: "play", seat, card: cards[0] as string } : null;
}

export const body = (event: Play): Append["requestBody"]["content"]["application/json"] => ({ events: [event] });

export const conflict = (problem: components["schemas"]["Problem"]): boolean => problem.code === "store.conflict";

// Sets grow: what a later version answers is of the same type.
export const later: Table["status"] = "postponed";
export const unknown: components["schemas"]["RecordedEvent"] = { type: "shuffle", seq: 7, cut: 3 };

// @ts-expect-error: a client sends what it knows
export const wrong: Append["requestBody"]["content"]["application/json"] = { events: [{ type: "shuffle" }] };
