/** Pieces that several kinds declare. */
import type { AgentUse, KindFacts } from "@/lib/graph/kinds/define-kind";

/** An agent's use, if there is an agent. */
export const useAgent = (id: string | undefined, role: AgentUse["role"], times = 1): readonly AgentUse[] =>
  id === undefined ? [] : [{ id, role, times }];

/** A judge's use, if there is a judge. */
export const useJudge = (id: string | undefined, subject: AgentUse["subject"], times = 1): readonly AgentUse[] =>
  useAgent(id, "judge", times).map((use) => ({ ...use, ...(subject ? { subject } : {}) }));

/** The config's path, else the only write key. */
export const answerAtPath: KindFacts<{ write_to?: string | undefined }>["answer"] = ({ write_to: path }, only) => path ?? only;

/** A path, if there is one. */
export const listPath = (path: string | undefined): readonly string[] => (path === undefined ? [] : [path]);

/** Declares that there are none. */
export const none = (): readonly never[] => [];
/** Declares that there is no single result. */
export const noAnswer = (): undefined => undefined;
/** Declares that edges alone decide the route. */
export const noChoice = (): undefined => undefined;
/** Declares no facts of other runs, or no powers. */
export const nothing = (): Record<string, never> => ({});
