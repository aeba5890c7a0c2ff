"""The Excel workbook: tables with live formulas and native, editable charts. openpyxl is known only here."""
