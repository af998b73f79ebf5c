/** Pieces that several kinds declare. */
import type { AgentUse, KindFacts } from "@/lib/graph/kinds/define-kind";

/** An agent's use, if there is an agent. */
export const useAgent = (id: string | undefined, role: AgentUse["role"], times = 1): readonly AgentUse[] =>
  id === undefined ? [] : [{ id, role, times }];

/** The path that the config names, else the only write key. */
export const answerAtPath: KindFacts<{ write_to?: string | undefined }>["answer"] = ({ write_to: path }, only) => path ?? only;

/** A path, if there is one. */
export const listPath = (path: string | undefined): readonly string[] => (path === undefined ? [] : [path]);

/** Declares that there are none. */
export const none = (): readonly never[] => [];
/** Declares that there is no single result. */
export const noAnswer = (): undefined => undefined;
