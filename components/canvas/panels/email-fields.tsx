"use client";

import { NumberField } from "@/components/canvas/fields/number-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { hostSchema, type Trigger, type TriggerOf } from "@/lib/graph/triggers/trigger";
import { chosenSecretNameSchema } from "@/lib/secrets/reference";

const TLS = [
  { value: "implicit", label: "TLS" },
  { value: "starttls", label: "STARTTLS" },
  { value: "off", label: "None, on an origin the operator opened" },
] as const;

const findHostFault = (text: string): string | null => (hostSchema.safeParse(text).success ? null : "A name such as imap.example.com.");
const findSecretFault = (text: string): string | null => chosenSecretNameSchema.safeParse(text).error?.issues[0]?.message ?? null;
const findLengthFault = (most: number) => (text: string) => (text === "" || text.length > most ? `1 to ${most} characters.` : null);

const readDomains = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((part) => part !== "");
const findDomainFault = (text: string): string | null => {
  const domains = readDomains(text);
  if (domains.length > 20) return "At most 20 domains.";

  return domains.map(findHostFault).find((fault) => fault !== null) ?? null;
};

type Props = {
  readonly trigger: TriggerOf<"email">;
  readonly onChange: (trigger: Trigger, field?: string) => void;
};

const SenderFields = ({ trigger, onChange }: Props) => {
  const { signed_by: domains, ...rest } = trigger;

  return (
    <>
      <Checkbox checked={domains !== undefined} onCheckedChange={() => onChange(domains === undefined ? { ...rest, signed_by: [] } : rest)}>
        Only messages that the sender&apos;s domain signed (DKIM)
      </Checkbox>
      {domains === undefined ? null : (
        <TextField
          label="Domains"
          hint="Separated by spaces. Empty: any domain that signs its mail."
          mono
          value={domains.join(" ")}
          check={findDomainFault}
          onCommit={(text) => onChange({ ...rest, signed_by: readDomains(text) }, "signed_by")}
        />
      )}
    </>
  );
};

export const EmailFields = ({ trigger, onChange }: Props) => (
  <>
    <TextField
      label="IMAP server"
      mono
      value={trigger.host}
      check={findHostFault}
      onCommit={(host) => onChange({ ...trigger, host }, "host")}
    />
    <NumberField
      label="Port"
      integer
      value={trigger.port}
      min={1}
      max={65_535}
      onCommit={(port) => onChange({ ...trigger, port }, "port")}
    />
    <Field label="Encryption">
      <Select items={TLS} value={trigger.tls} onValueChange={(tls) => onChange({ ...trigger, tls })} />
    </Field>
    <TextField
      label="User"
      mono
      value={trigger.user}
      check={findLengthFault(320)}
      onCommit={(user) => onChange({ ...trigger, user }, "user")}
    />
    <TextField
      label="Password"
      hint="Name of a secret that an admin stored. Without it, nothing starts."
      mono
      value={trigger.secret}
      check={findSecretFault}
      onCommit={(secret) => onChange({ ...trigger, secret }, "secret")}
    />
    <TextField
      label="Mailbox"
      hint="Read from the next message on. Messages stay as they are, unread ones too."
      value={trigger.mailbox}
      check={findLengthFault(255)}
      onCommit={(mailbox) => onChange({ ...trigger, mailbox }, "mailbox")}
    />
    <SenderFields trigger={trigger} onChange={onChange} />
    <NumberField
      label="Oldest message (hours)"
      hint="Refuses messages that were dated earlier than this before they arrived."
      integer
      value={trigger.max_age_hours}
      min={1}
      max={720}
      onCommit={(hours) => onChange({ ...trigger, max_age_hours: hours }, "max_age")}
    />
  </>
);
