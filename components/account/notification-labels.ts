import type { NotificationSetting } from "@/lib/notifications/setting";

export const ABOUT_LABELS = {
  off: "Off",
  assigned: "Requests I can decide",
  all: "All requests",
} as const satisfies Record<NotificationSetting["about"] | "off", string>;

export const CADENCE_LABELS = {
  immediate: "At once",
  hourly: "Every hour, in one message",
  daily: "Once a day, in one message",
} as const satisfies Record<NotificationSetting["cadence"], string>;
