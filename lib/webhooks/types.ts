import { z } from "zod";

export const WEBHOOK_TYPES = [
  "approval.requested",
  "approval.reminder",
  "approval.escalated",
  "approval.resolved",
  "run.ended",
  "run.threshold",
  "run.refused",
  "run.frozen",
  "checkpoint.signed",
  "server.suspended",
] as const;
export const webhookTypeSchema = z.enum(WEBHOOK_TYPES);
export type WebhookType = z.infer<typeof webhookTypeSchema>;

/** Adds test deliveries, which cannot be subscribed to. */
export const deliveryTypeSchema = z.enum([...WEBHOOK_TYPES, "webhook.test"]);
export type DeliveryType = z.infer<typeof deliveryTypeSchema>;

export const DELIVERY_STATUSES = ["pending", "delivered", "failed", "dropped"] as const;

export const DELIVERY_FAULTS = [
  "blocked",
  "unreachable",
  "timeout",
  "redirected",
  "refused",
  "insecure",
  "subject_gone",
  "secret_unreadable",
] as const;
export type DeliveryFault = (typeof DELIVERY_FAULTS)[number];

export const OFF_REASONS = ["admin", "gone", "failing"] as const;
export type OffReason = (typeof OFF_REASONS)[number];

export const MOST_ENDPOINTS = 20;
/** A replaced secret still signs this long. */
export const OLD_SECRET_MS = 86_400_000;
