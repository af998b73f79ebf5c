/** Calls that count towards a rule's total. */
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { getKnownValue, ownEntry, type GateState, type RunState } from "@/lib/engine/state";

export type CountedCall = {
  readonly server: string;
  readonly tool: string;
  /** Record. */
  readonly since: number;
  readonly args: JsonObject | null;
};

/** A reviewed call is asked about afterwards. */
export const opensCall = ({ gate }: Pick<GateState, "gate">): boolean => gate.transition.effect !== null && gate.reason !== "review";

export const toArguments = (value: Json | undefined): JsonObject | null => (isJsonObject(value) ? value : null);

export const listBefore = (calls: readonly CountedCall[], of: Pick<CountedCall, "server" | "tool">, before: number) =>
  calls.flatMap(({ server, tool, since, args }) => (server === of.server && tool === of.tool && since < before ? [args] : []));

type Place = {
  readonly gate?: string | undefined;
  readonly effect?: string;
  /** Gates whose calls no longer wait. */
  readonly closing?: readonly string[];
};

/** Lists arguments of a tool's earlier calls: made, even if failed, or waiting. Later ones counted this one. */
export const listEarlierCalls = (
  state: RunState,
  tool: Pick<CountedCall, "server" | "tool">,
  { gate: own, effect: made, closing = [] }: Place,
): readonly (JsonObject | null)[] => {
  const cells = new Map(state.aside.toReversed().map((cell) => [cell.path, cell]));
  const getSeq = (path: string): number => cells.get(path)?.seq ?? Infinity;
  const gates = Object.values(state.gates);
  const getSince = (id: string): number =>
    Math.min(getSeq(`$arguments.${id}`), ...gates.map(({ gate, usedBy }) => (usedBy === id ? getSeq(`$pending.${gate.id}`) : Infinity)));
  const effects = Object.values(state.effects).map(({ effect_id: id, effect: { server, tool: name } }): CountedCall => ({
    server,
    tool: name,
    since: getSince(id),
    args: toArguments(getKnownValue(cells.get(`$arguments.${id}`))),
  }));
  const waiting = gates.flatMap((gateState): CountedCall[] => {
    const { gate, status, usedBy } = gateState;
    const { effect } = gate.transition;
    const isWaiting = status === "open" || (status === "approved" && usedBy === null);
    if (!effect || !isWaiting || !opensCall(gateState) || closing.includes(gate.id)) return [];
    const path = `$pending.${gate.id}`;

    return [
      {
        server: effect.server,
        tool: effect.tool,
        since: getSeq(path),
        args: toArguments(ownMember(getKnownValue(cells.get(path)), "arguments")),
      },
    ];
  });
  const before =
    made !== undefined && ownEntry(state.effects, made) ? getSince(made) : own === undefined ? Infinity : getSeq(`$pending.${own}`);

  return listBefore([...effects, ...waiting], tool, before);
};
