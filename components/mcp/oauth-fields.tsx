"use client";

import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import type { OAuthFields as Fields } from "./header-rows";

const FIND = [
  { value: "token_url", label: "Token URL" },
  { value: "issuer", label: "Issuer metadata" },
] as const;

const SEND = [
  { value: "basic", label: "Authorization header" },
  { value: "body", label: "Request body" },
] as const;

type Props = { readonly value: Fields; readonly onChange: (next: Fields) => void };

/** OAuth client; the server never supplies the token endpoint. */
export const OAuthFields = ({ value, onChange }: Props) => {
  const set = (change: Partial<Fields>) => onChange({ ...value, ...change });

  return (
    <div className="flex flex-col gap-3">
      <Checkbox checked={value.isOn} onCheckedChange={(isOn) => set({ isOn })}>
        Use OAuth client credentials
      </Checkbox>
      {value.isOn ? (
        <div className="grid gap-3 rounded-md border p-3 sm:grid-cols-2">
          <Field label="Token endpoint from">
            <Select items={FIND} value={value.find} onValueChange={(find) => set({ find })} />
          </Field>
          <Field label={value.find === "issuer" ? "Issuer" : "Token URL"}>
            <Input
              inputMode="url"
              autoComplete="off"
              placeholder="https://…"
              value={value.url}
              onChange={(event) => set({ url: event.target.value })}
            />
          </Field>
          <Field label="Client ID">
            <Input
              autoComplete="off"
              className="font-mono"
              value={value.clientId}
              onChange={(event) => set({ clientId: event.target.value })}
            />
          </Field>
          <Field
            label="Client secret"
            hint={value.kept === null ? "Stored encrypted. It can't be shown again." : "Leave empty to keep the stored one."}
          >
            <Input
              type="password"
              autoComplete="new-password"
              className="font-mono"
              value={value.clientSecret}
              onChange={(event) => set({ clientSecret: event.target.value })}
            />
          </Field>
          <Field label="Send client secret in">
            <Select items={SEND} value={value.send} onValueChange={(send) => set({ send })} />
          </Field>
          <Field label="Scope" hint="Leave empty for the client's default.">
            <Input autoComplete="off" className="font-mono" value={value.scope} onChange={(event) => set({ scope: event.target.value })} />
          </Field>
        </div>
      ) : null}
    </div>
  );
};
