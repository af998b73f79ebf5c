"use client";

import { Braces, ListTree } from "lucide-react";
import { useState } from "react";
import { JsonField } from "@/components/canvas/fields/json-field";
import { Button } from "@/components/ui/button";
import { isUsableSchema } from "@/lib/graph/json-schema";
import { getRowType, readRows } from "@/lib/graph/schema-rows";
import { isJsonObject, type JsonObject } from "@/lib/json";
import { FieldRows, TypeDetails } from "./field-rows";
import { TypeSelect } from "./type-select";

type Props = {
  readonly title: string;
  /** Label of the JSON text. */
  readonly jsonLabel: string;
  readonly hint: string;
  readonly schema: JsonObject;
  readonly onChange: (schema: JsonObject, part?: string) => void;
  /** `object`: schema of an object; `any`: of any value. */
  readonly root: "object" | "any";
  /** Names of fields to choose from. */
  readonly suggestions?: readonly string[];
};

export const SchemaBuilder = ({ title, jsonLabel, hint, schema, onChange, root, suggestions = [] }: Props) => {
  const [isJson, setIsJson] = useState(false);
  const isReadable = root === "object" ? readRows(schema) !== null : getRowType(schema) !== null;
  const Icon = isJson ? ListTree : Braces;

  return (
    <fieldset aria-label={title} className="flex min-w-0 flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <span className="text-sm font-medium">{title}</span>
        {isReadable ? (
          <Button size="sm" variant="ghost" onClick={() => setIsJson(!isJson)}>
            <Icon aria-hidden /> {isJson ? "Edit as fields" : "Edit as JSON"}
          </Button>
        ) : null}
      </div>
      {isJson || !isReadable ? (
        <JsonField
          label={jsonLabel}
          hint={isReadable ? hint : `${hint} This schema can only be edited as JSON.`}
          rows={8}
          value={schema}
          check={(value) => (isJsonObject(value) && isUsableSchema(value) ? null : "Enter a supported JSON Schema.")}
          onCommit={(value) => {
            if (!isJsonObject(value)) return;
            // Typed text stays, even once fields could show it.
            setIsJson(true);
            onChange(value, "json");
          }}
        />
      ) : (
        <>
          <p className="-mt-1 text-xs text-muted">{hint}</p>
          {root === "object" ? (
            <FieldRows title={`Fields of ${title.toLowerCase()}`} schema={schema} onChange={onChange} suggestions={suggestions} />
          ) : (
            <>
              <TypeSelect label="Type" schema={schema} onChange={onChange} />
              <TypeDetails name="the value" schema={schema} onChange={onChange} />
            </>
          )}
        </>
      )}
    </fieldset>
  );
};
