/** Errors of a peer, on either side of the channel. */

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

/** The other process ended, hung or broke the protocol: each call that was under way fails with this. */
export class PeerLost extends Error {
  readonly reason: PeerLostReason;

  constructor(reason: PeerLostReason) {
    super(`The other process is gone (${reason}).`);
    this.name = "PeerLost";
    this.reason = reason;
  }
}

/** Thrown by a handler that was asked for what the other side has no right to: it closes the channel. */
export class ChannelBreach extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ChannelBreach";
  }
}

/** A handler of the other side failed. `code` is one that its protocol names, or `internal`. */
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
