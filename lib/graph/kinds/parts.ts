/** Pieces that several kinds declare. */
import type { AgentUse, KindFacts } from "@/lib/graph/kinds/define-kind";

/** Returns an agent's use, if any. */
export const useAgent = (id: string | undefined, role: AgentUse["role"], times = 1): readonly AgentUse[] =>
  id === undefined ? [] : [{ id, role, times }];

/** Returns a judge's use, if any. */
export const useJudge = (id: string | undefined, subject: AgentUse["subject"], times = 1): readonly AgentUse[] =>
  useAgent(id, "judge", times).map((use) => ({ ...use, ...(subject ? { subject } : {}) }));

/** The config's path, else the only write key. */
export const answerAtPath: KindFacts<{ write_to?: string | undefined }>["answer"] = ({ write_to: path }, only) => path ?? only;

/** A path, if there is one. */
export const listPath = (path: string | undefined): readonly string[] => (path === undefined ? [] : [path]);

export const none = (): readonly never[] => [];
export const noAnswer = (): undefined => undefined;
export const noChoice = (): undefined => undefined;
export const nothing = (): Record<string, never> => ({});
