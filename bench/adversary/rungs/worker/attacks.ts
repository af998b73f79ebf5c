export type Targets = {
  readonly home: string;
  readonly root: string;
  readonly socket: string;
  readonly runner: number;
  readonly victim: number;
  readonly database: number;
  readonly foreign: string;
};

export const MARK = "written-by-another-node";

/** Stopped by the sandbox. */
export const SYSTEM_ATTACKS = [
  "read signing.key",
  "read vault.key",
  "read session.key",
  "read postgres.key",
  "read database.json",
  "read a key by /proc/self/root",
  "read a key over a link in the temporary folder",
  "read the runner's environment",
  "open the runner's memory",
  "list the runner's descriptors",
  "trace a process of the same user",
  "end a process of the same user",
  "find secrets in its environment",
  "read an inherited descriptor",
  "log in to the database",
  "connect to a local service by a socket",
  "listen on a port",
  "start a process",
  "write the worker's bundle",
  "write into the packages",
  "write into the temporary folder",
] as const;

/** Each closes the channel. */
export const CHANNEL_ATTACKS = [
  "call for a guessed execution",
  "call for an execution that has ended",
  "call for another workspace's execution",
  "say that the run is suspended",
  "answer a call that was not made",
  "call an unknown method",
  "send a malformed message",
  "send members that do not belong there",
  "use the id of a call twice",
  "send a frame above the limit",
  "nest a value deeply",
  "flood with calls",
  "flood with pings",
] as const;

/** Decided by the control plane. */
export const RUN_ATTACKS = [
  "call a tool that its node was not granted",
  "change the arguments of a call that has an intent",
  "speak in a task of another agent",
  "propose an action of another node",
  "end with what another node writes",
] as const;

export const WORKER_ATTACKS = [...SYSTEM_ATTACKS, ...CHANNEL_ATTACKS, ...RUN_ATTACKS] as const;
