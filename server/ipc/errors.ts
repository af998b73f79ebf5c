export type PeerLostReason =
  | "closed"
  | "frame_too_large"
  | "frame_malformed"
  | "message_malformed"
  | "method_unknown"
  | "answer_unasked"
  | "too_many_calls"
  | "backlog_full"
  | "breach"
  | "unresponsive"
  | "start_failed";

/** The other process ended, hung or broke the protocol. */
export class PeerLost extends Error {
  readonly reason: PeerLostReason;

  constructor(reason: PeerLostReason) {
    super(`The other process is gone (${reason}).`);
    this.name = "PeerLost";
    this.reason = reason;
  }
}

/** Thrown by a handler for an unauthorised request; closes the channel. */
export class ChannelBreach extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ChannelBreach";
  }
}

/** Failure of the other side's handler. */
export class RemoteFailure extends Error {
  readonly code: string;
  readonly data: unknown;

  constructor(code: string, message: string, data: unknown = null) {
    super(message);
    this.name = "RemoteFailure";
    this.code = code;
    this.data = data;
  }
}
