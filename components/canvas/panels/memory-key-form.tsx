"use client";

import { Trash2 } from "lucide-react";
import { NumberField } from "@/components/canvas/fields/number-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { SchemaBuilder } from "@/components/canvas/schema-builder/schema-builder";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { MemoryKey } from "@/lib/graph/document";
import { classificationSchema, integritySchema } from "@/lib/graph/label";
import { isMemoryKeyName } from "@/lib/graph/path";

const CLASSES = classificationSchema.options.map((value) => ({ value, label: value }));
const INTEGRITIES = integritySchema.options.map((value) => ({ value, label: value }));

type Props = { readonly memoryKey: MemoryKey; readonly onRemoved: () => void };

export const MemoryKeyForm = ({ memoryKey, onRemoved }: Props) => {
  const edit = useCanvas((state) => state.edit);
  const taken = useDocument().memory.map((item) => item.key);
  const change = (changed: Partial<MemoryKey>, field?: string) =>
    edit(
      [{ op: "set_memory_key", key: { ...memoryKey, ...changed }, replaces: memoryKey.key }],
      field === undefined ? undefined : `memory ${memoryKey.key} ${field}`,
    );

  return (
    <div className="flex flex-col gap-3 border-t bg-sunken/50 p-3">
      <TextField
        label="Name"
        mono
        value={memoryKey.key}
        check={(text) => {
          if (text !== memoryKey.key && taken.includes(text)) return "Another key already has this name.";

          return isMemoryKeyName(text) ? null : "A letter, then letters, digits or _.";
        }}
        commitOn="leave"
        onCommit={(key) => change({ key })}
      />
      <TextField label="Description" value={memoryKey.description} onCommit={(description) => change({ description }, "description")} />
      <SchemaBuilder
        title="Value"
        jsonLabel="JSON Schema"
        hint="Objects with listed fields allow no others by default."
        root="any"
        schema={memoryKey.schema}
        onChange={(schema, part) => change({ schema: { ...schema } }, part && `schema.${part}`)}
      />
      <Field label="Classification">
        <Select items={CLASSES} value={memoryKey.classification} onValueChange={(classification) => change({ classification })} />
      </Field>
      <Field label="Minimum integrity" hint="Values with lower integrity are refused.">
        <Select items={INTEGRITIES} value={memoryKey.min_integrity} onValueChange={(integrity) => change({ min_integrity: integrity })} />
      </Field>
      <Checkbox checked={memoryKey.protected} onCheckedChange={(isProtected) => change({ protected: isProtected })}>
        Protected: every change needs an approval
      </Checkbox>
      <NumberField
        label="Max bytes"
        value={memoryKey.max_bytes}
        min={1}
        max={16_777_216}
        onCommit={(bytes) => change({ max_bytes: bytes }, "max_bytes")}
      />
      <Button
        size="sm"
        variant="danger"
        className="self-start"
        onClick={() => {
          edit([{ op: "remove_memory_key", key: memoryKey.key }]);
          onRemoved();
        }}
      >
        <Trash2 aria-hidden /> Remove
      </Button>
    </div>
  );
};
