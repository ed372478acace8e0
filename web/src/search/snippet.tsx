import { cutAtHighlights } from './highlight';

interface SnippetProps {
  text: string;
  highlights: readonly [number, number][];
  language: string | null;
}

/** Text with the matched words marked. */
export function Snippet({ text, highlights, language }: SnippetProps) {
  return (
    <span lang={language ?? undefined}>
      {cutAtHighlights(text, highlights).map((piece, index) =>
        piece.marked ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </span>
  );
}
