import { Fragment, type Ref } from "react";
import { toVisibleText } from "@/components/values/visible-text";
import type { FieldRow } from "./field-rows";
import type { Place, SourcePart } from "./literal-places";

type Piece = { readonly text: string; readonly isField: boolean };

const piecesOf = (text: string, places: readonly Place[]): readonly Piece[] => {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of places) {
    pieces.push({ text: text.slice(at, start), isField: false }, { text: text.slice(start, end), isField: true });
    at = end;
  }

  return [...pieces, { text: text.slice(at), isField: false }].filter((piece) => piece.text !== "");
};

/** Visible without colour. */
const Marked = ({ children, name, onMount }: { readonly children: string; readonly name: string; readonly onMount: Ref<HTMLElement> }) => (
  <mark ref={onMount} className="rounded-xs bg-accent-soft text-ink underline decoration-accent decoration-2 underline-offset-2">
    <span aria-hidden className="text-accent">
      ⟦
    </span>
    <span className="sr-only">{name} begins: </span>
    {toVisibleText(children)}
    <span className="sr-only"> :{name} ends</span>
    <span aria-hidden className="text-accent">
      ⟧
    </span>
  </mark>
);

/** Stable: called on mount only. */
const intoView = (mark: HTMLElement | null): void => mark?.scrollIntoView({ block: "center" });

type Props = {
  readonly parts: readonly SourcePart[];
  readonly row: FieldRow | null;
  readonly follow: boolean;
};

export const SourceText = ({ parts, row, follow }: Props) => (
  <dl key={row?.name} className="flex flex-col gap-2 px-3 py-2">
    {parts.map((part, index) => (
      <div key={`${index} ${part.path}`}>
        {part.path === "" ? null : <dt className="font-mono text-xs text-muted">{toVisibleText(part.path)}</dt>}
        <dd>
          <pre className="font-mono text-xs leading-5 break-words whitespace-pre-wrap">
            {piecesOf(part.text, row?.places.filter(({ path }) => path === part.path) ?? []).map((piece, at) => (
              <Fragment key={`${at} ${piece.isField}`}>
                {piece.isField ? (
                  <Marked name={row?.name ?? ""} onMount={follow ? intoView : null}>
                    {piece.text}
                  </Marked>
                ) : (
                  toVisibleText(piece.text)
                )}
              </Fragment>
            ))}
          </pre>
        </dd>
      </div>
    ))}
  </dl>
);
