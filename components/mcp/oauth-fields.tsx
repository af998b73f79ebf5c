"use client";

import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { OAuthFields as Fields } from "./told-rows";

const FIND = [
  { value: "token_url", label: "Token address" },
  { value: "issuer", label: "Issuer, by its metadata" },
] as const;

const SEND = [
  { value: "basic", label: "in the Authorization header" },
  { value: "body", label: "in the form" },
] as const;

type Props = { readonly value: Fields; readonly onChange: (next: Fields) => void };

/** OAuth client credentials: where a token comes from is said here and never asked of the server. */
export const OAuthFields = ({ value, onChange }: Props) => {
  const set = (change: Partial<Fields>) => onChange({ ...value, ...change });

  return (
    <div className="flex flex-col gap-3">
      <Checkbox checked={value.isOn} onCheckedChange={(isOn) => set({ isOn })}>
        Get an access token by OAuth client credentials
      </Checkbox>
      {value.isOn ? (
        <div className="grid gap-3 rounded-md border p-3 sm:grid-cols-2">
          <Field label="Found by">
            <Select items={FIND} value={value.find} onValueChange={(find) => set({ find })} />
          </Field>
          <Field label={value.find === "issuer" ? "Issuer" : "Token address"}>
            <Input
              inputMode="url"
              autoComplete="off"
              placeholder="https://…"
              value={value.url}
              onChange={(event) => set({ url: event.target.value })}
            />
          </Field>
          <Field label="Client id">
            <Input
              autoComplete="off"
              className="font-mono"
              value={value.clientId}
              onChange={(event) => set({ clientId: event.target.value })}
            />
          </Field>
          <Field
            label="Client secret"
            hint={value.kept === null ? "Kept sealed; nobody can read it again." : "Left empty, the stored one stays."}
          >
            <Input
              type="password"
              autoComplete="new-password"
              className="font-mono"
              value={value.clientSecret}
              onChange={(event) => set({ clientSecret: event.target.value })}
            />
          </Field>
          <Field label="Client secret is sent">
            <Select items={SEND} value={value.send} onValueChange={(send) => set({ send })} />
          </Field>
          <Field label="Scope" hint="Empty: whatever the client has.">
            <Input autoComplete="off" className="font-mono" value={value.scope} onChange={(event) => set({ scope: event.target.value })} />
          </Field>
        </div>
      ) : null}
    </div>
  );
};
