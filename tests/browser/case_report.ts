// Writes one line a test where ./test counts the cases of all runners (GoogleTest's XML), in the
// folder that GTEST_OUTPUT names.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

export default class CaseReport implements Reporter {
  private readonly cases: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    const name = escape(test.titlePath().slice(3).join(' '));
    const head = `<testcase classname="browser" name="${name}"`;
    if (result.status === 'skipped') {
      this.cases.push(`${head} status="notrun" result="skipped"><skipped message="skipped"/></testcase>`);
    } else if (result.status === 'passed') {
      this.cases.push(`${head} status="run"/>`);
    } else {
      const message = escape((result.error?.message ?? result.status).split('\n')[0]!.replace(/\u001b\[\d+m/g, ''));
      this.cases.push(`${head} status="run"><failure message="${message}"/></testcase>`);
    }
  }

  onEnd(): void {
    const folder = /^xml:(.+)\/$/.exec(process.env['GTEST_OUTPUT'] ?? '')?.[1];
    if (!folder) return;
    const text = `<testsuites><testsuite name="browser">${this.cases.join('\n')}</testsuite></testsuites>\n`;
    writeFileSync(join(folder, 'browser.xml'), text);
  }
}
