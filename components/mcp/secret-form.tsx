"use client";

import { useState } from "react";
import { toApiError, type ApiError } from "@/components/trpc/api-error";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/components/ui/toast";
import { chosenSecretNameSchema, secretValueSchema } from "@/lib/secrets/reference";
import { Failure } from "./failure";
import { useSecrets } from "./use-secrets";

const FORM = "secret";

type Props = {
  readonly name: string | null;
  readonly trigger: string;
  readonly disabledReason: string | null;
};

const Fields = ({
  name,
  onDone,
  onFailure,
}: Pick<Props, "name"> & { readonly onDone: () => void; readonly onFailure: (failure: ApiError) => void }) => {
  const { putAll } = useSecrets();
  const [chosen, setChosen] = useState("");
  const [value, setValue] = useState("");
  const [isChecked, setIsChecked] = useState(false);
  const nameFault = name === null ? chosenSecretNameSchema.safeParse(chosen).error?.issues[0]?.message : undefined;
  const valueFault = secretValueSchema.safeParse(value.trim()).error?.issues[0]?.message;
  const submit = async () => {
    setIsChecked(true);
    if (nameFault !== undefined || valueFault !== undefined) return;
    try {
      await putAll([{ name: name ?? chosen, value: value.trim() }]);
      notify({ title: "Secret stored. Its value can't be shown again." });
      onDone();
    } catch (error) {
      onFailure(toApiError(error));
    }
  };

  return (
    <Form id={FORM} onSubmit={() => void submit()}>
      {name === null ? (
        <Field label="Name" hint="Settings refer to the secret by this name." error={isChecked ? nameFault : null}>
          <Input
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          />
        </Field>
      ) : null}
      <Field label="Value" hint="Leading and trailing spaces are removed." error={isChecked ? valueFault : null}>
        <Textarea
          rows={3}
          autoComplete="off"
          spellCheck={false}
          className="font-mono [-webkit-text-security:disc]"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </Field>
    </Form>
  );
};

/** Stores or replaces a secret. */
export const SecretForm = ({ name, trigger, disabledReason }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const open = (next: boolean) => {
    setFailure(null);
    setIsOpen(next);
  };

  return (
    <>
      <Button
        size="sm"
        disabledReason={disabledReason}
        aria-label={name === null ? trigger : `${trigger.replace("…", "")} ${name}`}
        onClick={() => open(true)}
      >
        {trigger}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={open}
        title={name === null ? "Store a secret" : `Replace ${name}`}
        description={
          name === null
            ? "Stored encrypted. Settings refer to it by name; its value is never shown again."
            : "New connections use the new value. The old value is deleted."
        }
        footer={
          <>
            <Button onClick={() => open(false)}>Cancel</Button>
            <Button type="submit" form={FORM} variant="primary">
              {name === null ? "Store" : "Replace"}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          <Failure failure={failure} />
          <Fields name={name} onDone={() => open(false)} onFailure={setFailure} />
        </div>
      </Dialog>
    </>
  );
};
