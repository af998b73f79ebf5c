"use client";

import { z } from "zod";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { formatLoose, parseLoose } from "@/components/canvas/fields/loose-json";
import { NameList } from "@/components/canvas/fields/name-list";
import { NodeList } from "@/components/canvas/fields/node-select";
import { findPathFault } from "@/components/canvas/fields/path-check";
import { findTopicFault, listTopics } from "@/components/canvas/fields/topics";
import type { FieldMeta } from "@/lib/graph/field";
import { jsonSchema } from "@/lib/json";
import { findFullFault, getBounds } from "./bounds";
import type { ControlProps } from "./field-control";
import type { FormPlace } from "./initial-value";

const suggest = ({ widget, suggestions = [] }: FieldMeta, { graph }: FormPlace): readonly string[] => {
  if (widget === "path") return listDeclaredPaths(graph);

  return widget === "topic" ? listTopics(graph) : suggestions;
};

export const ListControl = ({ field, value, place, label, onChange }: ControlProps) => {
  const { inner, isOptional, meta } = field;
  const { widget, noun = widget === "node" ? "node" : "path", description } = meta;
  if (!(inner instanceof z.ZodArray)) return null;
  const items = z.array(jsonSchema).safeParse(value).data ?? [];
  const isText = inner.element instanceof z.ZodString;
  const names = items.map(formatLoose);
  const isNeeded = (getBounds(inner).min ?? 0) > 0 && !isOptional;
  const lastStays = `At least one ${noun} is required.`;
  const common = { label, ...(description === undefined ? {} : { hint: description }) };
  if (widget === "node")
    return (
      <NodeList
        {...common}
        graph={place.graph}
        of={place.nodeId ?? ""}
        nodes={names}
        onChange={(ids) => onChange(ids)}
        lastStays={lastStays}
      />
    );

  return (
    <NameList
      {...common}
      placeholder={`Add a ${noun}`}
      names={names}
      suggestions={suggest(meta, place)}
      check={(name) =>
        findFullFault(inner, names.length) ?? (widget === "path" ? findPathFault(name) : isText ? findTopicFault(name) : null)
      }
      onChange={(next) => onChange(isOptional && next.length === 0 ? undefined : isText ? [...next] : next.map(parseLoose))}
      {...(isNeeded ? { lastStays } : {})}
    />
  );
};
