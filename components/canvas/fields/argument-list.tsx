"use client";

import { Waypoints } from "lucide-react";
import { useId, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Select } from "@/components/ui/select";
import type { Graph } from "@/lib/graph/document";
import type { EarlierValue } from "@/lib/graph/earlier-steps";
import { isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { getSourceName, getText, type Argument, type Source, type SourceName } from "./argument-sources";
import { listDeclaredPaths } from "./declared-paths";
import { PathOptions } from "./path-options";
import { TextField } from "./text-field";

const propertiesOf = (schema: JsonObject | null): readonly string[] => {
  const properties: Json | undefined = schema?.["properties"];

  return isJsonObject(properties) ? Object.keys(properties) : [];
};

const isRequired = (schema: JsonObject | null, name: string): boolean => {
  const required: Json | undefined = schema?.["required"];

  return Array.isArray(required) && required.includes(name);
};

type StepMenuProps = {
  readonly name: string;
  readonly values: readonly EarlierValue[];
  readonly onChoose: (path: string) => void;
};

const StepMenu = ({ name, values, onChoose }: StepMenuProps) => {
  const label = `Map ${name} from an earlier step`;
  if (values.length === 0)
    return (
      <Button size="iconMd" variant="ghost" aria-label={label} disabledReason="No earlier step writes memory">
        <Waypoints aria-hidden />
      </Button>
    );

  return (
    <Menu
      align="end"
      trigger={
        <Button size="iconMd" variant="ghost" aria-label={label} title="Map from an earlier step">
          <Waypoints aria-hidden />
        </Button>
      }
    >
      {values.map(({ path, node }) => (
        <MenuItem key={`${node} ${path}`} onClick={() => onChoose(path)}>
          <span className="font-mono text-xs">{path}</span>
          <span className="ml-auto pl-4 text-xs text-muted">{node}</span>
        </MenuItem>
      ))}
    </Menu>
  );
};

type RowProps<A extends Argument> = {
  readonly name: string;
  readonly required: boolean;
  readonly argument: A | undefined;
  readonly sources: readonly Source<A>[];
  readonly listId: string;
  readonly firstPath: string;
  /** Undefined: not offered. */
  readonly earlier: readonly EarlierValue[] | undefined;
  readonly onChange: (argument: A | undefined, field?: string) => void;
};

const Row = <A extends Argument>({ name, required, argument, sources, listId, firstPath, earlier, onChange }: RowProps<A>) => {
  const chosen: SourceName | "none" = argument === undefined ? "none" : getSourceName(argument);
  const source = sources.find((each) => each.value === chosen);
  const fromMemory = sources.find((each) => each.value === "from");

  return (
    <div className="flex flex-col gap-1 border-l-2 pl-2">
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 flex-1 truncate font-mono text-xs" title={name}>
          {name}
          {required ? <span className="text-muted"> required</span> : null}
        </span>
        <Select<SourceName | "none">
          aria-label={`Source of ${name}`}
          className="w-40 shrink-0"
          items={[{ value: "none", label: "Not set" }, ...sources]}
          value={chosen}
          onValueChange={(next) => onChange(sources.find((each) => each.value === next)?.initial(firstPath, name))}
        />
        {earlier && fromMemory ? <StepMenu name={name} values={earlier} onChoose={(path) => onChange(fromMemory.of(path))} /> : null}
      </div>
      {argument === undefined || source === undefined ? null : (
        <TextField
          label={source.field(name)}
          mono
          value={getText(argument)}
          check={source.check}
          onCommit={(text) => onChange(source.of(text), `argument.${name}`)}
          {...(source.isPath ? { list: listId } : {})}
          {...(source.hint === undefined ? {} : { hint: source.hint })}
        />
      )}
    </div>
  );
};

type Props<A extends Argument> = {
  /** Null: unknown. */
  readonly schema: JsonObject | null;
  readonly sources: readonly Source<A>[];
  readonly values: Readonly<Record<string, A>>;
  readonly graph: Graph;
  /** Values written by earlier nodes. */
  readonly earlier?: readonly EarlierValue[];
  /** Below the legend. */
  readonly actions?: ReactNode;
  readonly onChange: (values: Record<string, A>, field?: string) => void;
};

export const ArgumentList = <A extends Argument>({ schema, sources, values, graph, earlier, actions, onChange }: Props<A>) => {
  const listId = useId();
  const [firstPath = "key"] = listDeclaredPaths(graph);
  const names = [...new Set([...propertiesOf(schema), ...Object.keys(values)])];

  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">Arguments</legend>
      {names.length === 0 ? null : actions}
      {names.length === 0 ? <p className="text-xs text-muted">This tool takes no arguments.</p> : null}
      {names.map((name) => (
        <Row
          key={name}
          name={name}
          required={isRequired(schema, name)}
          argument={values[name]}
          sources={sources}
          listId={listId}
          firstPath={firstPath}
          earlier={earlier}
          onChange={(argument, field) => {
            const { [name]: _before, ...rest } = values;
            onChange(argument === undefined ? rest : { ...values, [name]: argument }, field);
          }}
        />
      ))}
      <PathOptions id={listId} graph={graph} />
    </fieldset>
  );
};
