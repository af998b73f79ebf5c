/** What reaches a member outside the pages. */
import { z } from "zod";
import { authorityClassSchema } from "@/lib/engine/approvals/authority-class";

export const CHANNELS = ["mail"] as const;
export const channelSchema = z.enum(CHANNELS);
export type Channel = z.infer<typeof channelSchema>;

export const ABOUTS = ["assigned", "all"] as const;
export const CADENCES = ["immediate", "hourly", "daily"] as const;

export const MINUTES_PER_DAY = 1_440;
const minuteSchema = z
  .number()
  .int()
  .min(0)
  .max(MINUTES_PER_DAY - 1);

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

/** A row of the stored setting; minutes are of the local day. */
export const notificationSettingSchema = z.strictObject({
  about: z.enum(ABOUTS),
  /** Requests without a class always match. */
  classes: z.array(authorityClassSchema).max(authorityClassSchema.options.length),
  cadence: z.enum(CADENCES),
  /** Of the daily digest. */
  dailyAt: minuteSchema,
  /** Nothing is sent from `from` until `until`; equal ends mean all day, so they are refused. */
  quiet: z
    .strictObject({ from: minuteSchema, until: minuteSchema })
    .refine(({ from, until }) => from !== until, "Quiet hours need two different times.")
    .nullable(),
  timeZone: z.string().min(1).max(60).refine(isTimeZone, "Not a known time zone."),
});
export type NotificationSetting = z.infer<typeof notificationSettingSchema>;

export const DEFAULT_SETTING: Omit<NotificationSetting, "timeZone"> = {
  about: "assigned",
  classes: [...authorityClassSchema.options],
  cadence: "immediate",
  dailyAt: 8 * 60,
  quiet: null,
};

export const NOTIFICATION_TYPES = ["approval.requested", "test"] as const;
export const notificationTypeSchema = z.enum(NOTIFICATION_TYPES);

export const NOTIFICATION_STATUSES = ["pending", "delivered", "failed", "dropped"] as const;
