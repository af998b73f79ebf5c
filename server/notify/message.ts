import type { DeliveryFault } from "@/lib/webhooks/types";
import type { MailRequest } from "./mail-request";

export type Attempt =
  | { readonly ok: true; readonly code: number; readonly answer?: string }
  | { readonly ok: false; readonly code: number | null; readonly fault: DeliveryFault };

export const SEND_TIMEOUT_MS = 10_000;

export type Message = {
  readonly url: string;
  readonly payload: string;
  readonly isBase64?: true;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** Of at most 64 KiB. */
  readonly readsAnswer?: true;
};

/** Sends a message; an unsendable one is a failed attempt. */
export type SendMessage = (workspaceId: string, message: Message) => Promise<Attempt>;

export type SendMail = (request: MailRequest) => Promise<Attempt>;
