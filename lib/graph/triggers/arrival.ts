import { z } from "zod";

export const MOST_EVENT_BYTES = 256 * 1_024;
export const MOST_HEADER_CHARS = 2_000;

export const SIGNATURE_HEADERS = [
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
  "x-hub-signature-256",
  "stripe-signature",
  "x-slack-request-timestamp",
  "x-slack-signature",
] as const;

export const arrivalSchema = z.strictObject({
  headers: z.partialRecord(z.enum(SIGNATURE_HEADERS), z.string().max(MOST_HEADER_CHARS)),
  /** Base64; null: larger than `MOST_EVENT_BYTES`. */
  body: z.base64().nullable(),
});
export type Arrival = z.infer<typeof arrivalSchema>;

export const getArrivalPlace = (id: string): string => `trigger ${id}`;
