// The text of a page over its image, invisible but selectable. It is laid out in page points and
// scaled as a whole, so zooming does not lay it out again.
import { useMemo } from 'preact/hooks';
import { isPageLocator, type Box, type Unit } from '../api/types';

export interface TextLine {
  text: string;
  x: number;
  y: number;
  fontSize: number;
  /** Horizontal stretch that makes the longest line as wide as its region. */
  stretch: number;
}

/** Measures text set in one font size, in the same unit. */
export type Measure = (text: string, fontSize: number) => number;

/** Breaks text without line breaks so that it fills its box about evenly. */
function wrapped(text: string, box: Box, measure: Measure): string[] {
  const whole = measure(text, 100) / 100;
  // n lines of height h/n carry text of size 0.8·h/n: choose n so that n·width holds it all.
  const lines = Math.max(1, Math.round(Math.sqrt((whole * 0.8 * box.height) / box.width)));
  if (lines === 1) return [text];
  const points = Array.from(text);
  const each = Math.ceil(points.length / lines);
  const out: string[] = [];
  for (let at = 0; at < points.length; at += each) out.push(points.slice(at, at + each).join(''));
  return out;
}

export function layOut(text: string, box: Box, measure: Measure): TextLine[] {
  const given = text.split('\n').filter((line) => line.trim() !== '');
  const lines = given.length > 1 ? given : wrapped(text.trim(), box, measure);
  if (lines.length === 0 || lines[0] === '') return [];
  const pitch = box.height / lines.length;
  const fontSize = pitch * 0.8;
  const widest = Math.max(...lines.map((line) => measure(line, fontSize)));
  const stretch = widest > 0 ? box.width / widest : 1;
  return lines.map((line, index) => ({
    text: line,
    x: box.x,
    y: box.y + index * pitch + pitch * 0.1,
    fontSize,
    stretch,
  }));
}

function canvasMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  return (text, fontSize) => {
    if (!context) return (text.length * fontSize) / 2;
    context.font = `${fontSize}px sans-serif`;
    return context.measureText(text).width;
  };
}

/** The boxed parts of a page: its regions, or the page itself where it has none. */
export function boxedUnits(units: readonly Unit[]): { unit: Unit; box: Box }[] {
  const boxed: { unit: Unit; box: Box }[] = [];
  for (const unit of units) {
    const box = isPageLocator(unit.locator) ? unit.locator.box : null;
    if (box && unit.kind !== 'page' && unit.text.trim() !== '') boxed.push({ unit, box });
  }
  return boxed;
}

interface TextLayerProps {
  units: readonly Unit[];
  /** Width of a page point on the screen. */
  scale: number;
}

export function TextLayer({ units, scale }: TextLayerProps) {
  const lines = useMemo(() => {
    const measure = canvasMeasure();
    return boxedUnits(units).map(({ unit, box }) => ({
      unit,
      lines: layOut(unit.text, box, measure),
    }));
  }, [units]);
  return (
    <div class="text-layer" style={{ transform: `scale(${scale})` }}>
      {lines.map(({ unit, lines: own }) => (
        <p key={unit.id} lang={unit.language ?? undefined}>
          {own.map((line, index) => (
            <span
              key={index}
              style={{
                left: `${line.x}px`,
                top: `${line.y}px`,
                fontSize: `${line.fontSize}px`,
                transform: `scaleX(${line.stretch.toFixed(4)})`,
              }}
            >
              {line.text}{'\n'}
            </span>
          ))}
        </p>
      ))}
    </div>
  );
}
