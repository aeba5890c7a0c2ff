"""The Excel workbook: tables with live formulas and native, editable charts. Only this package uses openpyxl."""
