import Link from "next/link";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { CopyBlock } from "@/components/ui/copy-block";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { readOpenApi, type ApiOperation } from "@/lib/api/openapi-reader";
import { buildCurl, describeType, listFields, type FieldRow, type TypeWord } from "@/lib/api/reference";
import { API_PATH } from "@/lib/api/routes";
import type { JsonObject } from "@/lib/json";

const linkStyle = "text-accent underline underline-offset-2";

const TypeText = ({ words }: { readonly words: readonly TypeWord[] }) => (
  <span className="font-mono text-xs wrap-anywhere">
    {words.map(({ text, reference }, index) =>
      reference === undefined ? (
        text
      ) : (
        <a key={`${index} ${text}`} href={`#schema-${reference}`} className={linkStyle}>
          {text}
        </a>
      ),
    )}
  </span>
);

const FieldTable = ({ label, rows }: { readonly label: string; readonly rows: readonly FieldRow[] }) => (
  <Table aria-label={label}>
    <TableHead>
      <TableRow>
        <TableHeader className="w-1/3">Name</TableHeader>
        <TableHeader className="w-1/3">Type</TableHeader>
        <TableHeader>Meaning</TableHeader>
      </TableRow>
    </TableHead>
    <TableBody>
      {rows.map(({ name, type, isRequired, about }) => (
        <TableRow key={name}>
          <TableCell className="align-top">
            <span className="font-mono text-xs wrap-anywhere">{name}</span>
            {isRequired ? <span className="ml-2 text-xs text-muted">required</span> : null}
          </TableCell>
          <TableCell className="align-top">
            <TypeText words={type} />
          </TableCell>
          <TableCell className="align-top text-muted">{about}</TableCell>
        </TableRow>
      ))}
    </TableBody>
  </Table>
);

const Method = ({ method }: { readonly method: string }) => (
  <Badge mono className={method === "POST" ? "text-accent" : undefined}>
    {method}
  </Badge>
);

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className="flex min-w-0 flex-col gap-1">
    <h4 className="text-xs font-medium text-muted">{title}</h4>
    {children}
  </div>
);

const Answer = ({ id, answer: { status, media, schema } }: ApiOperation) => {
  const rows = "$ref" in schema ? [] : listFields(schema);

  return (
    <Part title={`Answer ${status}, ${media}`}>
      {rows.length === 0 ? <TypeText words={describeType(schema)} /> : <FieldTable label={`Answer of ${id}`} rows={rows} />}
    </Part>
  );
};

const toRow = ({ name, required, description, schema }: ApiOperation["parameters"][number]): FieldRow => {
  const [row] = listFields({ properties: { [name]: schema } });

  return { name, type: describeType(schema), isRequired: required, about: [description, row?.about].filter(Boolean).join(" ") };
};

const OperationSection = ({ operation }: { readonly operation: ApiOperation }) => {
  const { id, method, path, summary, about, parameters, body } = operation;

  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3 rounded-lg border bg-surface p-4 max-sm:p-3">
      <div className="flex min-w-0 flex-col gap-1">
        <h3 id={id} className="scroll-mt-4 font-medium">
          {summary}
        </h3>
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <Method method={method} />
          <code className="min-w-0 font-mono text-xs wrap-anywhere">{path}</code>
        </p>
        <p className="text-xs text-muted">{about.replaceAll("`", "")}</p>
      </div>
      <CopyBlock text={buildCurl(operation)} label={`the command of ${id}`} />
      {parameters.length > 0 ? (
        <Part title="Parameters">
          <FieldTable label={`Parameters of ${id}`} rows={parameters.map(toRow)} />
        </Part>
      ) : null}
      {body ? (
        <Part title="Body, application/json">
          <FieldTable label={`Body of ${id}`} rows={listFields(body)} />
        </Part>
      ) : null}
      <Answer {...operation} />
    </section>
  );
};

const toHeading = (tag: string): string => `${tag.slice(0, 1).toUpperCase()}${tag.slice(1)}`;

const Index = ({ tags }: { readonly tags: readonly (readonly [string, readonly ApiOperation[]])[] }) => (
  <Panel title="Operations" bodyClassName="grid gap-4 p-4 sm:grid-cols-2 max-sm:p-3">
    {tags.map(([tag, operations]) => (
      <nav key={tag} aria-label={toHeading(tag)} className="flex min-w-0 flex-col gap-1">
        <p className="text-xs font-medium text-muted">{toHeading(tag)}</p>
        <ul className="flex flex-col gap-1">
          {operations.map(({ id, method, summary }) => (
            <li key={id} className="grid grid-cols-[3rem_1fr] items-baseline gap-2">
              <Method method={method} />
              <a href={`#${id}`} className={linkStyle}>
                {summary}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    ))}
  </Panel>
);

const SchemaSection = ({ name, schema }: { readonly name: string; readonly schema: JsonObject }) => {
  const rows = listFields(schema);

  return (
    <section aria-labelledby={`schema-${name}`} className="flex min-w-0 flex-col gap-1 rounded-lg border bg-surface p-4 max-sm:p-3">
      <h3 id={`schema-${name}`} className="scroll-mt-4 font-mono text-sm font-medium">
        {name}
      </h3>
      {rows.length === 0 ? <TypeText words={describeType(schema)} /> : <FieldTable label={`Fields of ${name}`} rows={rows} />}
    </section>
  );
};

const ErrorTable = ({ errors }: { readonly errors: Readonly<Record<string, string>> }) => (
  <Table aria-label="Error codes">
    <TableHead>
      <TableRow>
        <TableHeader className="w-1/3">Code</TableHeader>
        <TableHeader>Meaning</TableHeader>
      </TableRow>
    </TableHead>
    <TableBody>
      {Object.entries(errors).map(([code, message]) => (
        <TableRow key={code}>
          <TableCell className="font-mono text-xs">{code}</TableCell>
          <TableCell>{message}</TableCell>
        </TableRow>
      ))}
    </TableBody>
  </Table>
);

const Chapter = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <>
    <h2 className="mt-4 text-base font-semibold">{title}</h2>
    {children}
  </>
);

export const ApiReference = ({ text }: { readonly text: string }) => {
  const { about, operations, schemas, errors } = readOpenApi(JSON.parse(text));
  const tags = [...new Set(operations.map(({ tag }) => tag))].map(
    (tag) => [tag, operations.filter((operation) => operation.tag === tag)] as const,
  );

  return (
    <>
      <PageHeader title="HTTP API" above={<Link href="/help">Documentation</Link>} />
      <article className="flex max-w-5xl flex-col gap-3 px-6 py-4 text-sm max-sm:px-4">
        <p>
          {about} The{" "}
          <Link href="/help/tutorials/api" className={linkStyle}>
            tutorial
          </Link>{" "}
          starts a run and reads its result. This page is built from the{" "}
          <a href={`${API_PATH}/openapi.json`} className={linkStyle}>
            OpenAPI document
          </a>
          .
        </p>
        <Index tags={tags} />
        {tags.map(([tag, listed]) => (
          <Chapter key={tag} title={toHeading(tag)}>
            {listed.map((operation) => (
              <OperationSection key={operation.id} operation={operation} />
            ))}
          </Chapter>
        ))}
        <Chapter title="Errors">
          <p>
            Every error is a{" "}
            <a href="#schema-Problem" className={linkStyle}>
              Problem
            </a>
            , application/problem+json, with the HTTP status and one of these codes. A <code className="font-mono text-xs">refused</code>{" "}
            one names its{" "}
            <Link href="/help/reference/refusals" className={linkStyle}>
              refusal
            </Link>
            .
          </p>
          <div className="rounded-lg border bg-surface p-4 max-sm:p-3">
            <ErrorTable errors={errors} />
          </div>
        </Chapter>
        <Chapter title="Schemas">
          {Object.entries(schemas).map(([name, schema]) => (
            <SchemaSection key={name} name={name} schema={schema} />
          ))}
        </Chapter>
      </article>
    </>
  );
};
