// Pages, frames and pictures drawn as SVG, so that the development server needs no files.

export const pageSize = { width: 595, height: 842 };

const escape = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

/** Breaks text into lines of about `units` half-width characters. */
function lines(text, units) {
  const out = [''];
  let used = 0;
  for (const word of text.match(/[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+|\s+/g) ?? []) {
    const width = [...word].reduce((sum, sign) => sum + (sign > '\u2e80' ? 2 : 1), 0);
    if (used + width > units && used > 0) {
      out.push('');
      used = 0;
    }
    out[out.length - 1] += used === 0 ? word.trimStart() : word;
    used += width;
  }
  return out;
}

/** Lays the blocks of a page out: each gets its box and its lines. */
export function layOut(blocks) {
  let y = 72;
  return blocks.map((block) => {
    const size = block.type === 'heading' ? 17 : 10.5;
    const set = block.type === 'chart' ? [] : lines(block.text, block.type === 'heading' ? 56 : 88);
    const height = block.type === 'chart' ? 170 : set.length * size * 1.5;
    const box = { x: 64, y, width: 467, height, page_width: 595, page_height: 842 };
    y += height + (block.type === 'heading' ? 12 : 16);
    return { ...block, box, lines: set, size };
  });
}

function chart({ box, bars, text }) {
  const base = box.y + box.height - 30;
  const step = box.width / bars.length;
  const columns = bars.map((value, index) => {
    const x = box.x + index * step + step * 0.2;
    return `<rect x="${x}" y="${base - value}" width="${step * 0.6}" height="${value}" fill="#5b83b0"/>`;
  });
  return `<path d="M${box.x} ${base}H${box.x + box.width}" stroke="#444"/>${columns.join('')}
    <text x="${box.x}" y="${base + 20}" font-size="9.5" fill="#333">${escape(text)}</text>`;
}

export function drawPage(blocks, number) {
  const body = layOut(blocks).map((block) => {
    if (block.type === 'chart') return chart(block);
    const weight = block.type === 'heading' ? ' font-weight="600"' : '';
    return block.lines
      .map((line, index) => {
        const y = block.box.y + block.size * (1.12 + index * 1.5);
        return `<text x="${block.box.x}" y="${y}" font-size="${block.size}"${weight}>${escape(line)}</text>`;
      })
      .join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1190" height="1684" viewBox="0 0 595 842"
    font-family="Noto Sans CJK SC, sans-serif"><rect width="595" height="842" fill="#fff"/>${body.join('')}
    <text x="297" y="806" font-size="9" text-anchor="middle" fill="#555">${number}</text></svg>`;
}

export function drawFrame(title, index) {
  const hue = (index * 53) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360"
    font-family="Noto Sans CJK SC, sans-serif"><rect width="640" height="360" fill="hsl(${hue} 30% 18%)"/>
    <circle cx="${120 + index * 40}" cy="230" r="66" fill="hsl(${hue} 45% 55%)"/>
    <rect x="320" y="190" width="210" height="80" rx="8" fill="hsl(${hue} 35% 34%)"/>
    <text x="36" y="70" font-size="30" fill="#f3f3ef">${escape(title)}</text></svg>`;
}

export function drawPicture(hue) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="640" viewBox="0 0 900 640">
    <rect width="900" height="640" fill="hsl(${hue} 55% 82%)"/><circle cx="680" cy="150" r="64" fill="#f6d365"/>
    <path d="M0 470L210 260L380 430L560 210L900 500V640H0Z" fill="hsl(${hue} 25% 42%)"/>
    <path d="M0 540Q260 470 480 540T900 530V640H0Z" fill="hsl(${hue + 60} 30% 32%)"/></svg>`;
}
