/** Anything else is denied. */

/** `any`: unrestricted. On every address, since Landlock knows no hosts. */
export type Ports = "any" | readonly number[];

export type NetworkPolicy = {
  readonly connect: Ports;
  readonly listen: Ports;
  /** UDP, needed for name resolution. */
  readonly datagrams: boolean;
  /** By path, such as a session bus. */
  readonly localSockets: boolean;
};

export const NO_NETWORK: NetworkPolicy = { connect: [], listen: [], datagrams: false, localSockets: false };
export const ANY_NETWORK: NetworkPolicy = { connect: "any", listen: "any", datagrams: true, localSockets: true };

/** Null keeps the system's. */
export type ProcessLimits = {
  /** Private writable memory. */
  readonly memoryBytes: number;
  readonly processorSeconds: number;
  readonly openFiles: number;
  readonly fileBytes: number;
  /** Beyond those of its user at the start. Root is exempt. */
  readonly threads: number;
};

/** Unprivileged and exclusive to the process. */
export type ProcessUser = {
  readonly uid: number;
  /** Supplementary; its own is `uid`. */
  readonly groups: readonly number[];
};

export type SandboxPolicy = {
  /** Folders recursively. */
  readonly read: readonly string[];
  readonly execute: readonly string[];
  readonly write: readonly string[];
  readonly network: NetworkPolicy;
  /** May signal others in its domain. */
  readonly processes: boolean;
  readonly limits: ProcessLimits | null;
  /** Keeps root's capabilities. */
  readonly capabilities: boolean;
  /** Requires an empty network namespace. */
  readonly namespace?: boolean;
  readonly user?: ProcessUser;
};

/** Input on descriptor 3, as JSON. */
export type LaunchSpec = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly policy: SandboxPolicy;
  /** Process that the program must not outlive; null: it watches itself. */
  readonly parentPid: number | null;
  /** Uses CHANNEL_FD. */
  readonly hasChannel?: boolean;
  /** Uses BROKER_FD. */
  readonly hasBroker?: boolean;
};
