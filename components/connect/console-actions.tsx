"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { isJsonObject, type JsonObject } from "@/lib/json";
import { parseJsonText } from "@/lib/json-text";
import { createDraftInputs, type Outlook } from "./console-answer";

const MOST = { maxBytes: 262_144, maxDepth: 32 };

const NO_INPUTS = "Enter a JSON object first";

type Props = {
  readonly outlook: Outlook;
  readonly isBusy: boolean;
  readonly send: (tool: string, args: JsonObject) => void;
};

const textOfInputs = (outlook: Outlook, action: string): string => JSON.stringify(createDraftInputs(outlook.schemas[action]), null, 2);

/** Legal actions; remounted for each response. */
export const ConsoleActions = ({ outlook, isBusy, send }: Props) => {
  const [action, setAction] = useState(outlook.actions[0] ?? "");
  const [text, setText] = useState(() => textOfInputs(outlook, action));
  const parsed = parseJsonText(text, MOST);
  const inputs = isJsonObject(parsed) ? parsed : null;
  const take = (tool: "step" | "request_approval") => {
    if (inputs) send(tool, { action, inputs });
  };
  if (outlook.actions.length === 0) {
    return (
      <Panel title="Legal actions" bodyClassName="p-3 text-sm text-muted">
        None: the run has ended. Reset to start another one.
      </Panel>
    );
  }

  return (
    <Panel title="Legal actions" bodyClassName="flex flex-col gap-3 p-3">
      <Field label="Action">
        <Select
          items={outlook.actions.map((value) => ({ value, label: value }))}
          value={action}
          onValueChange={(next) => {
            setAction(next);
            setText(textOfInputs(outlook, next));
          }}
        />
      </Field>
      <Field label="Inputs" hint="JSON that matches the action's schema." error={inputs ? null : "Enter a JSON object."}>
        <Textarea rows={8} className="font-mono text-xs" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          disabledReason={inputs === null ? NO_INPUTS : isBusy ? "Wait for the previous call" : null}
          onClick={() => take("request_approval")}
        >
          Request approval
        </Button>
        <Button
          variant="primary"
          disabledReason={inputs === null ? NO_INPUTS : null}
          pending={isBusy ? "Waiting…" : null}
          onClick={() => take("step")}
        >
          Take action
        </Button>
      </div>
    </Panel>
  );
};
