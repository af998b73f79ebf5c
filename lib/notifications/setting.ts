import { z } from "zod";
import { authorityClassSchema } from "@/lib/engine/approvals/authority-class";

export const CHANNELS = ["mail", "slack", "teams", "push"] as const;
export const channelSchema = z.enum(CHANNELS);
export type Channel = z.infer<typeof channelSchema>;

export const CHANNEL_NAMES = { mail: "E-mail", slack: "Slack", teams: "Microsoft Teams", push: "Web push" } as const satisfies Record<
  Channel,
  string
>;

const ABOUTS = ["assigned", "all"] as const;
const CADENCES = ["immediate", "hourly", "daily"] as const;

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
  dailyAt: minuteSchema,
  /** Nothing is sent from `from` until `until`; equal ends would mean all day. */
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

/** `approval.updated` changes an earlier message; `code` proves an account. */
export const notificationTypeSchema = z.enum([
  "approval.requested",
  "approval.reminded",
  "approval.escalated",
  "mention",
  "approval.updated",
  "test",
  "code",
]);
export type NotificationType = z.infer<typeof notificationTypeSchema>;

/** Sent when the member's setting says. */
export const SCHEDULED_TYPES: readonly NotificationType[] = ["approval.requested", "approval.reminded", "approval.escalated", "mention"];

export const NOTIFICATION_STATUSES = ["pending", "delivered", "failed", "dropped"] as const;

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/u;

const formatMinute = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

const timeSchema = z
  .string()
  .regex(TIME, "A time, as 08:30.")
  .transform((text) => {
    const [hour = "0", minute = "0"] = text.split(":");

    return Number(hour) * 60 + Number(minute);
  });

/** Form input; outputs the setting, or null for off. */
export const settingFormSchema = z
  .strictObject({
    about: z.enum(["off", ...ABOUTS]),
    classes: z.array(authorityClassSchema),
    cadence: z.enum(CADENCES),
    dailyAt: timeSchema,
    isQuiet: z.boolean(),
    quietFrom: timeSchema,
    quietUntil: timeSchema,
    timeZone: z.string().trim(),
  })
  .superRefine(({ about, isQuiet, quietFrom, quietUntil, classes, timeZone }, context) => {
    if (about === "off") return;
    if (classes.length === 0) context.addIssue({ code: "custom", path: ["classes"], message: "Select at least one class." });
    if (isQuiet && quietFrom === quietUntil)
      context.addIssue({ code: "custom", path: ["quietUntil"], message: "Choose a different time." });
    if (!isTimeZone(timeZone)) context.addIssue({ code: "custom", path: ["timeZone"], message: "Not a known time zone." });
  })
  .transform(({ about, isQuiet, quietFrom, quietUntil, ...fields }): { readonly setting: NotificationSetting | null } => ({
    setting: about === "off" ? null : { about, quiet: isQuiet ? { from: quietFrom, until: quietUntil } : null, ...fields },
  }));
export type SettingForm = z.input<typeof settingFormSchema>;

/** @param timeZone the browser's, without a setting */
export const toSettingForm = (setting: NotificationSetting | null, timeZone: string): SettingForm => {
  const { about, classes, cadence, dailyAt, quiet, timeZone: zone } = setting ?? { ...DEFAULT_SETTING, about: "off" as const, timeZone };

  return {
    about,
    classes: [...classes],
    cadence,
    dailyAt: formatMinute(dailyAt),
    isQuiet: quiet !== null,
    quietFrom: formatMinute(quiet?.from ?? 20 * 60),
    quietUntil: formatMinute(quiet?.until ?? 8 * 60),
    timeZone: zone,
  };
};
