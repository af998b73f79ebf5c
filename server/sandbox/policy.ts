/** What a sandboxed process may do. Everything that is not named here is denied. */

/** Ports that a process may use; `any` leaves them open. A port is allowed on every address: Landlock knows no hosts. */
export type Ports = "any" | readonly number[];

export type NetworkPolicy = {
  readonly connect: Ports;
  readonly listen: Ports;
  /** UDP, which name resolution needs. */
  readonly datagrams: boolean;
  /** Unix sockets by path: local services, such as a container engine or a session bus. */
  readonly localSockets: boolean;
};

export const NO_NETWORK: NetworkPolicy = { connect: [], listen: [], datagrams: false, localSockets: false };
export const ANY_NETWORK: NetworkPolicy = { connect: "any", listen: "any", datagrams: true, localSockets: true };

/** Limits of the process; null leaves what the system set. */
export type ProcessLimits = {
  /** Private writable memory: heap, stacks and thread stacks. */
  readonly memoryBytes: number;
  readonly processorSeconds: number;
  readonly openFiles: number;
  readonly fileBytes: number;
  /** Beside those that other processes of its user have at its start. Root is exempt. */
  readonly threads: number;
};

/** An unprivileged user that no other process has. */
export type ProcessUser = {
  readonly uid: number;
  /** Groups besides its own, whose number is `uid`. */
  readonly groups: readonly number[];
};

export type SandboxPolicy = {
  /** Files and folders to read; folders with all that is below them. */
  readonly read: readonly string[];
  /** To read and to run. */
  readonly execute: readonly string[];
  /** To read, make, change and remove. */
  readonly write: readonly string[];
  readonly network: NetworkPolicy;
  /** Whether it may start processes and signal others of its own domain. */
  readonly processes: boolean;
  readonly limits: ProcessLimits | null;
  /** Whether root keeps its capabilities. */
  readonly capabilities: boolean;
  /** Whether it gets an empty network namespace, or does not start. Default: it keeps ours. */
  readonly namespace?: boolean;
  /** The user that root becomes. Default: it stays who it is. */
  readonly user?: ProcessUser;
};

/** What the launcher gets over its file descriptor 3, as JSON. */
export type LaunchSpec = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly policy: SandboxPolicy;
  /** The process that the program must not outlive; null: it has a leash of its own. */
  readonly parentPid: number | null;
  /** Whether the program speaks with us over CHANNEL_FD. */
  readonly hasChannel?: boolean;
};
