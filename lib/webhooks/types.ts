/** What a workspace can be told of by webhook. */
import { z } from "zod";

export const WEBHOOK_TYPES = [
  "approval.requested",
  "approval.resolved",
  "run.ended",
  "run.frozen",
  "checkpoint.signed",
  "server.suspended",
] as const;
export const webhookTypeSchema = z.enum(WEBHOOK_TYPES);
export type WebhookType = z.infer<typeof webhookTypeSchema>;

/** A delivery can be of one more type, which nobody chooses: somebody tries an endpoint. */
export const deliveryTypeSchema = z.enum([...WEBHOOK_TYPES, "webhook.test"]);
export type DeliveryType = z.infer<typeof deliveryTypeSchema>;

export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "dropped"] as const;

/** Why an attempt was no success. */
export const DELIVERY_FAULTS = ["blocked", "unreachable", "timeout", "redirected", "refused", "subject_gone", "secret_unreadable"] as const;
export type DeliveryFault = (typeof DELIVERY_FAULTS)[number];

/** Why nothing is sent to an endpoint. */
export const OFF_REASONS = ["admin", "gone", "failing"] as const;
export type OffReason = (typeof OFF_REASONS)[number];

export const MOST_ENDPOINTS = 20;
/** For so long a replaced secret signs along with the new one. */
export const OLD_SECRET_MS = 86_400_000;
