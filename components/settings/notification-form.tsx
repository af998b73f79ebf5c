"use client";

import { useEffect, type ReactNode } from "react";
import { Controller } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Form, SelectField, TextField, useZodForm } from "@/components/ui/form";
import type { AuthorityClass } from "@/lib/engine/approvals/authority-class";
import { ABOUT_LABELS, CADENCE_LABELS } from "@/components/account/notification-labels";
import { AUTHORITY_LABELS } from "@/lib/notifications/message";
import { settingFormSchema, toSettingForm, type NotificationSetting } from "@/lib/notifications/setting";

const toItems = (labels: Readonly<Record<string, string>>) => Object.entries(labels).map(([value, label]) => ({ value, label }));

const ABOUT_ITEMS = toItems(ABOUT_LABELS);
const CADENCE_ITEMS = toItems(CADENCE_LABELS);

const HINTS = {
  none: "The run continues",
  read: "Reads outside data",
  write: "Changes data, can be undone or repeated",
  protected: "Changes guarded values of a run",
  irreversible: "Can't be undone",
} as const satisfies Record<AuthorityClass, string>;

const CLASSES = (Object.keys(HINTS) as AuthorityClass[]).map((value) => ({ value, label: AUTHORITY_LABELS[value], hint: HINTS[value] }));

const UTC = "UTC";

type Props = {
  readonly setting: NotificationSetting | null;
  readonly error: unknown;
  readonly save: (setting: NotificationSetting | null) => Promise<unknown>;
  /** Other buttons. */
  readonly children: ReactNode;
};

export const NotificationForm = ({ setting, error, save, children }: Props) => {
  const form = useZodForm(settingFormSchema, toSettingForm(setting, UTC));
  const { setValue } = form;
  // The server does not know the browser's time zone.
  useEffect(() => {
    if (setting === null) setValue("timeZone", new Intl.DateTimeFormat().resolvedOptions().timeZone);
  }, [setting, setValue]);
  const [about, cadence, isQuiet] = form.watch(["about", "cadence", "isQuiet"]);

  return (
    <Form
      onSubmit={form.handleSubmit(({ setting: next }) => save(next).catch(() => undefined))}
      error={error}
      className="flex max-w-2xl flex-col gap-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField form={form} name="about" label="Send me" items={ABOUT_ITEMS} />
        {about === "off" ? null : <SelectField form={form} name="cadence" label="When" items={CADENCE_ITEMS} />}
      </div>
      {about === "off" ? null : (
        <>
          <Controller
            control={form.control}
            name="classes"
            render={({ field: { value, onChange }, fieldState: { error: fault } }) => (
              <CheckboxGroup legend="Classes" choices={CLASSES} value={value} error={fault?.message} onChange={onChange} />
            )}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            {cadence === "daily" ? <TextField form={form} name="dailyAt" label="Daily at" type="time" /> : null}
            <TextField form={form} name="timeZone" label="Time zone" hint="As Europe/Berlin." />
          </div>
          <Controller
            control={form.control}
            name="isQuiet"
            render={({ field: { value, onChange } }) => (
              <Checkbox checked={value} onCheckedChange={onChange}>
                Quiet hours
                <span className="block text-xs text-muted">Requests wait until they end. One that expires before then is not sent.</span>
              </Checkbox>
            )}
          />
          {isQuiet ? (
            <div className="grid gap-4 sm:grid-cols-2">
              <TextField form={form} name="quietFrom" label="From" type="time" />
              <TextField form={form} name="quietUntil" label="Until" type="time" />
            </div>
          ) : null}
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" pending={form.formState.isSubmitting ? "Saving…" : null}>
          Save
        </Button>
        {children}
      </div>
    </Form>
  );
};
