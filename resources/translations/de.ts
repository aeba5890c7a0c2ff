<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
 <context>
  <name>workbench</name>
  <message>
   <source> ({} of them excluded)</source>
   <translation> (davon {} ausgeschlossen)</translation>
  </message>
  <message>
   <source> 1 more study was saved.</source>
   <translation> 1 weitere Studie wurde gespeichert.</translation>
  </message>
  <message>
   <source> These runs have not ended and were not saved: {}.</source>
   <translation> Diese Läufe sind nicht beendet und wurden nicht gespeichert: {}.</translation>
  </message>
  <message>
   <source> and {} more</source>
   <translation> und {} weitere</translation>
  </message>
  <message>
   <source> in {}.</source>
   <translation>, in {}.</translation>
  </message>
  <message>
   <source> {} more studies were saved.</source>
   <translation> {} weitere Studien wurden gespeichert.</translation>
  </message>
  <message>
   <source>% of I/Os</source>
   <translation>% der I/Os</translation>
  </message>
  <message>
   <source>% of baseline</source>
   <translation>% der Basis</translation>
  </message>
  <message>
   <source>% of baseline, lower bound</source>
   <translation>% der Basis, Untergrenze</translation>
  </message>
  <message>
   <source>% of baseline, measured</source>
   <translation>% der Basis, gemessen</translation>
  </message>
  <message>
   <source>% of baseline, predicted</source>
   <translation>% der Basis, vorhergesagt</translation>
  </message>
  <message>
   <source>% of baseline, upper bound</source>
   <translation>% der Basis, Obergrenze</translation>
  </message>
  <message>
   <source>% of size</source>
   <translation>% der Größe</translation>
  </message>
  <message>
   <source>&amp;About VDI Workbench</source>
   <translation>&amp;Über VDI Workbench</translation>
  </message>
  <message>
   <source>&amp;Add folder…</source>
   <translation>Ordner &amp;hinzufügen…</translation>
  </message>
  <message>
   <source>&amp;Add slide…</source>
   <translation>Folie &amp;hinzufügen…</translation>
  </message>
  <message>
   <source>&amp;Check detected runs…</source>
   <translation>Er&amp;kannte Läufe prüfen…</translation>
  </message>
  <message>
   <source>&amp;Close study</source>
   <translation>Studie s&amp;chließen</translation>
  </message>
  <message>
   <source>&amp;Copy chart + table</source>
   <translation>Diagramm + Tabelle &amp;kopieren</translation>
  </message>
  <message>
   <source>&amp;Edit</source>
   <translation>&amp;Bearbeiten</translation>
  </message>
  <message>
   <source>&amp;Edit headline</source>
   <translation>Überschrift &amp;bearbeiten</translation>
  </message>
  <message>
   <source>&amp;Edit run…</source>
   <translation>Lauf b&amp;earbeiten…</translation>
  </message>
  <message>
   <source>&amp;Edit text…</source>
   <translation>&amp;Text bearbeiten…</translation>
  </message>
  <message>
   <source>&amp;Explain this page</source>
   <translation>Diese Seite &amp;erklären</translation>
  </message>
  <message>
   <source>&amp;Export…</source>
   <translation>&amp;Exportieren…</translation>
  </message>
  <message>
   <source>&amp;File</source>
   <translation>&amp;Datei</translation>
  </message>
  <message>
   <source>&amp;Find a command…</source>
   <translation>Befehl su&amp;chen…</translation>
  </message>
  <message>
   <source>&amp;Find on page</source>
   <translation>Auf Seite &amp;suchen</translation>
  </message>
  <message>
   <source>&amp;Go to evidence</source>
   <translation>Zum &amp;Beleg</translation>
  </message>
  <message>
   <source>&amp;Help</source>
   <translation>&amp;Hilfe</translation>
  </message>
  <message>
   <source>&amp;Include everything</source>
   <translation>Alles e&amp;inbeziehen</translation>
  </message>
  <message>
   <source>&amp;Keep as finding</source>
   <translation>Als Be&amp;fund behalten</translation>
  </message>
  <message>
   <source>&amp;Keys and gestures</source>
   <translation>&amp;Tasten und Gesten</translation>
  </message>
  <message>
   <source>&amp;Map columns…</source>
   <translation>S&amp;palten zuordnen…</translation>
  </message>
  <message>
   <source>&amp;Open folder…</source>
   <translation>&amp;Ordner öffnen…</translation>
  </message>
  <message>
   <source>&amp;Preferences…</source>
   <translation>&amp;Einstellungen…</translation>
  </message>
  <message>
   <source>&amp;Prepare a test</source>
   <translation>&amp;Test vorbereiten</translation>
  </message>
  <message>
   <source>&amp;Present</source>
   <translation>&amp;Präsentieren</translation>
  </message>
  <message>
   <source>&amp;Quit</source>
   <translation>&amp;Beenden</translation>
  </message>
  <message>
   <source>&amp;Recent</source>
   <translation>Zu&amp;letzt geöffnet</translation>
  </message>
  <message>
   <source>&amp;Redo</source>
   <translation>&amp;Wiederholen</translation>
  </message>
  <message>
   <source>&amp;Rename configuration</source>
   <translation>Konfiguration &amp;umbenennen</translation>
  </message>
  <message>
   <source>&amp;Restore generated text</source>
   <translation>Erze&amp;ugten Text wiederherstellen</translation>
  </message>
  <message>
   <source>&amp;Restore removed findings</source>
   <translation>Entfernte Befunde &amp;zurückholen</translation>
  </message>
  <message>
   <source>&amp;Run</source>
   <translation>&amp;Lauf</translation>
  </message>
  <message>
   <source>&amp;Save workspace file</source>
   <translation>Arbeitsdatei &amp;speichern</translation>
  </message>
  <message>
   <source>&amp;Time zone…</source>
   <translation>&amp;Zeitzone…</translation>
  </message>
  <message>
   <source>&amp;Undo</source>
   <translation>&amp;Rückgängig</translation>
  </message>
  <message>
   <source>&amp;View</source>
   <translation>&amp;Ansicht</translation>
  </message>
  <message>
   <source>&amp;Write a finding…</source>
   <translation>&amp;Eigenen Befund schreiben…</translation>
  </message>
  <message>
   <source>+01:00 or Europe/London</source>
   <translation>+01:00 oder Europe/London</translation>
  </message>
  <message>
   <source>+01:00 or Europe/London; empty if unknown</source>
   <translation>+01:00 oder Europe/London; leer, wenn unbekannt</translation>
  </message>
  <message>
   <source>1 decision needed</source>
   <translation>1 Entscheidung</translation>
  </message>
  <message>
   <source>1 empty column is hidden</source>
   <translation>1 leere Spalte ist ausgeblendet</translation>
  </message>
  <message>
   <source>1 more column</source>
   <translation>1 weitere Spalte</translation>
  </message>
  <message>
   <source>1 part is omitted</source>
   <translation>1 Teil wurde weggelassen</translation>
  </message>
  <message>
   <source>1 run of {}</source>
   <translation>1 Lauf von {}</translation>
  </message>
  <message>
   <source>2026-03-02 or 2026-03-02T09:00</source>
   <translation>2026-03-02 oder 2026-03-02T09:00</translation>
  </message>
  <message>
   <source>95 % interval of the change</source>
   <translation>95-%-Intervall der Änderung</translation>
  </message>
  <message>
   <source>95 % interval over the runs</source>
   <translation>95-%-Intervall über alle Läufe</translation>
  </message>
  <message>
   <source>95 % of the logons were faster</source>
   <translation>95 % der Anmeldungen waren schneller</translation>
  </message>
  <message>
   <source>A change is rated better or worse if it exceeds the margin and is significant.</source>
   <translation>Eine Änderung ist besser oder schlechter, wenn sie die Toleranz überschreitet und signifikant ist.</translation>
  </message>
  <message>
   <source>A change is rated better or worse if its 95 % interval excludes zero and the change exceeds the margin. Changes without a verdict are inconclusive.</source>
   <translation>Eine Änderung ist besser oder schlechter, wenn ihr 95-%-Intervall die Null ausschließt und die Änderung die Toleranz überschreitet. Änderungen ohne Urteil sind nicht eindeutig.</translation>
  </message>
  <message>
   <source>A dot is one run</source>
   <translation>Ein Punkt ist ein Lauf</translation>
  </message>
  <message>
   <source>A, B</source>
   <translation>A, B</translation>
  </message>
  <message>
   <source>AVD pooled</source>
   <translation>AVD gepoolt</translation>
  </message>
  <message>
   <source>About VDI Workbench</source>
   <translation>Über VDI Workbench</translation>
  </message>
  <message>
   <source>Above/below cache</source>
   <translation>Lage zum Cache</translation>
  </message>
  <message>
   <source>Acceptable boot time</source>
   <translation>Annehmbare Startzeit</translation>
  </message>
  <message>
   <source>Acceptable time</source>
   <translation>Annehmbare Zeit</translation>
  </message>
  <message>
   <source>Acceptance &amp;limits…</source>
   <translation>&amp;Abnahmegrenzen…</translation>
  </message>
  <message>
   <source>Acceptance limits</source>
   <translation>Abnahmegrenzen</translation>
  </message>
  <message>
   <source>Action</source>
   <translation>Maßnahme</translation>
  </message>
  <message>
   <source>Action taken</source>
   <translation>Maßnahme</translation>
  </message>
  <message>
   <source>Active sessions</source>
   <translation>Aktive Sitzungen</translation>
  </message>
  <message>
   <source>Add a phase</source>
   <translation>Phase hinzufügen</translation>
  </message>
  <message>
   <source>Add difference column</source>
   <translation>Differenzspalte hinzufügen</translation>
  </message>
  <message>
   <source>Add folder…</source>
   <translation>Ordner hinzufügen…</translation>
  </message>
  <message>
   <source>Add limit</source>
   <translation>Grenze hinzufügen</translation>
  </message>
  <message>
   <source>Add ratio column</source>
   <translation>Verhältnisspalte hinzufügen</translation>
  </message>
  <message>
   <source>Add slide</source>
   <translation>Folie hinzufügen</translation>
  </message>
  <message>
   <source>Add slide…</source>
   <translation>Folie hinzufügen…</translation>
  </message>
  <message>
   <source>Add this size to the test plan</source>
   <translation>Diese Größe in den Testplan aufnehmen</translation>
  </message>
  <message>
   <source>Added to baseline</source>
   <translation>Zuschlag zur Baseline</translation>
  </message>
  <message>
   <source>Additional responses per active session</source>
   <translation>Zusätzliche Antwortzeiten je aktiver Sitzung</translation>
  </message>
  <message>
   <source>Adjusted p</source>
   <translation>Korrigiertes p</translation>
  </message>
  <message>
   <source>After</source>
   <translation>Danach</translation>
  </message>
  <message>
   <source>After run start</source>
   <translation>Nach Laufbeginn</translation>
  </message>
  <message>
   <source>Agenda</source>
   <translation>Agenda</translation>
  </message>
  <message>
   <source>Aligned at</source>
   <translation>Ausgerichtet an</translation>
  </message>
  <message>
   <source>All columns</source>
   <translation>Alle Spalten</translation>
  </message>
  <message>
   <source>All columns are ignored. Choose a meaning for at least one column.</source>
   <translation>Alle Spalten werden ignoriert. Wählen Sie für mindestens eine Spalte eine Bedeutung.</translation>
  </message>
  <message>
   <source>All configurations</source>
   <translation>Alle Konfigurationen</translation>
  </message>
  <message>
   <source>All files and problems</source>
   <translation>Alle Dateien und Probleme</translation>
  </message>
  <message>
   <source>All findings</source>
   <translation>Alle Befunde</translation>
  </message>
  <message>
   <source>All findings and saved views are already slides.</source>
   <translation>Alle Befunde und alle gespeicherten Ansichten sind schon Folien.</translation>
  </message>
  <message>
   <source>All studies</source>
   <translation>Alle Studien</translation>
  </message>
  <message>
   <source>All tiers</source>
   <translation>Alle Ebenen</translation>
  </message>
  <message>
   <source>All values</source>
   <translation>Alle Werte</translation>
  </message>
  <message>
   <source>Also</source>
   <translation>Außerdem</translation>
  </message>
  <message>
   <source>Alt+click a legend entry; or L, then Alt+Space</source>
   <translation>Alt+Klick auf einen Legendeneintrag; oder L, dann Alt+Leertaste</translation>
  </message>
  <message>
   <source>Alt+↑, Alt+↓</source>
   <translation>Alt+↑, Alt+↓</translation>
  </message>
  <message>
   <source>An export is still running. Cancel it, then export again.</source>
   <translation>Ein Export läuft noch. Brechen Sie diesen Export ab, und exportieren Sie dann erneut.</translation>
  </message>
  <message>
   <source>Answered</source>
   <translation>Beantwortet</translation>
  </message>
  <message>
   <source>Answered in part</source>
   <translation>Teilweise beantwortet</translation>
  </message>
  <message>
   <source>Appearance</source>
   <translation>Aussehen</translation>
  </message>
  <message>
   <source>Appendix</source>
   <translation>Anhang</translation>
  </message>
  <message>
   <source>Appendix: shown after the last slide</source>
   <translation>Anhang: wird nach der letzten Folie angezeigt</translation>
  </message>
  <message>
   <source>Application</source>
   <translation>Anwendung</translation>
  </message>
  <message>
   <source>Application starts</source>
   <translation>Anwendungsstarts</translation>
  </message>
  <message>
   <source>Apply</source>
   <translation>Anwenden</translation>
  </message>
  <message>
   <source>Apply to {} runs</source>
   <translation>Auf {} Läufe anwenden</translation>
  </message>
  <message>
   <source>Apps started</source>
   <translation>Anwendungen gestartet</translation>
  </message>
  <message>
   <source>Are these machines tested VMs?</source>
   <translation>Sind diese Maschinen getestete VMs?</translation>
  </message>
  <message>
   <source>Arrows, Tab</source>
   <translation>Pfeiltasten, Tab</translation>
  </message>
  <message>
   <source>As in the tree</source>
   <translation>Reihenfolge wie im Baum</translation>
  </message>
  <message>
   <source>At which load do IOPS stop rising?</source>
   <translation>Ab welcher Last steigen die IOPS nicht mehr?</translation>
  </message>
  <message>
   <source>Author</source>
   <translation>Verfasser</translation>
  </message>
  <message>
   <source>Bac&amp;k</source>
   <translation>&amp;Zurück</translation>
  </message>
  <message>
   <source>Back to causes (Esc)</source>
   <translation>Zurück zu den Ursachen (Esc)</translation>
  </message>
  <message>
   <source>Back to the evidence</source>
   <translation>Zurück zu den Belegen</translation>
  </message>
  <message>
   <source>Band: 5th to 95th percentile of the VMs</source>
   <translation>Band: 5. bis 95. Perzentil der VMs</translation>
  </message>
  <message>
   <source>Band: 95 % interval (two runs: range)</source>
   <translation>Band: 95-%-Intervall (zwei Läufe: Spanne)</translation>
  </message>
  <message>
   <source>Band: 95 % interval of all I/O</source>
   <translation>Band: 95-%-Intervall aller I/O</translation>
  </message>
  <message>
   <source>Band: 95 % interval of the mean</source>
   <translation>Band: 95-%-Intervall des Mittels</translation>
  </message>
  <message>
   <source>Band: lowest to highest possible value</source>
   <translation>Band: kleinster bis größter möglicher Wert</translation>
  </message>
  <message>
   <source>Band: range of the runs</source>
   <translation>Band: Spanne der Läufe</translation>
  </message>
  <message>
   <source>Bandwidth</source>
   <translation>Bandbreite</translation>
  </message>
  <message>
   <source>Bandwidth (Azure)</source>
   <translation>Bandbreite (Azure)</translation>
  </message>
  <message>
   <source>Bandwidth (UDP)</source>
   <translation>Bandbreite (UDP)</translation>
  </message>
  <message>
   <source>Bar: change from the baseline</source>
   <translation>Balken: Änderung gegenüber der Basis</translation>
  </message>
  <message>
   <source>Bar: mean of all runs</source>
   <translation>Balken: Mittel aller Läufe</translation>
  </message>
  <message>
   <source>Bar: mean of the runs</source>
   <translation>Balken: Mittel der Läufe</translation>
  </message>
  <message>
   <source>Bar: number that one limit requires</source>
   <translation>Balken: erforderliche Zahl je Engpass</translation>
  </message>
  <message>
   <source>Bar: reads or writes of one test</source>
   <translation>Balken: Wert eines Tests, Lesen oder Schreiben</translation>
  </message>
  <message>
   <source>Baseline</source>
   <translation>Basis</translation>
  </message>
  <message>
   <source>Baseline multiplied by</source>
   <translation>Faktor der Baseline</translation>
  </message>
  <message>
   <source>Basis</source>
   <translation>Basis</translation>
  </message>
  <message>
   <source>Before</source>
   <translation>Davor</translation>
  </message>
  <message>
   <source>Below: difference with its interval or range</source>
   <translation>Unten: Unterschied mit Intervall oder Spanne</translation>
  </message>
  <message>
   <source>Benchmark findings</source>
   <translation>Benchmark-Befunde</translation>
  </message>
  <message>
   <source>Benchmark results</source>
   <translation>Benchmark-Ergebnisse</translation>
  </message>
  <message>
   <source>Benchmarks</source>
   <translation>Benchmarks</translation>
  </message>
  <message>
   <source>Best measured configuration</source>
   <translation>Beste gemessene Konfiguration</translation>
  </message>
  <message>
   <source>Better or worse: outside the band and significant</source>
   <translation>Besser oder schlechter: außerhalb des Bands und signifikant</translation>
  </message>
  <message>
   <source>Block</source>
   <translation>Block</translation>
  </message>
  <message>
   <source>Block (B)</source>
   <translation>Block (B)</translation>
  </message>
  <message>
   <source>Boot and logon storms</source>
   <translation>Boot- und Logon-Storms</translation>
  </message>
  <message>
   <source>Boot and logon what-if</source>
   <translation>Was-wäre-wenn: Start und Anmeldung</translation>
  </message>
  <message>
   <source>Boot or logon</source>
   <translation>Start oder Anmeldung</translation>
  </message>
  <message>
   <source>Boot window</source>
   <translation>Zeitfenster für den Start</translation>
  </message>
  <message>
   <source>Brief: main result</source>
   <translation>Kurz: das Hauptergebnis</translation>
  </message>
  <message>
   <source>Build</source>
   <translation>Build</translation>
  </message>
  <message>
   <source>Builds that may be the cause</source>
   <translation>Mögliche Ursachen (Builds)</translation>
  </message>
  <message>
   <source>By VM</source>
   <translation>Nach VM</translation>
  </message>
  <message>
   <source>By cache size</source>
   <translation>Nach Cache-Größe</translation>
  </message>
  <message>
   <source>By cause</source>
   <translation>Nach Ursache</translation>
  </message>
  <message>
   <source>By configuration</source>
   <translation>Nach Konfiguration</translation>
  </message>
  <message>
   <source>By measuring point and tier</source>
   <translation>Nach Messort und Ebene</translation>
  </message>
  <message>
   <source>CPU</source>
   <translation>CPU</translation>
  </message>
  <message>
   <source>CPU change</source>
   <translation>CPU-Änderung</translation>
  </message>
  <message>
   <source>CPU interconnect speed</source>
   <translation>Geschwindigkeit der Prozessorverbindung</translation>
  </message>
  <message>
   <source>CPU interconnect type</source>
   <translation>Typ der Prozessorverbindung</translation>
  </message>
  <message>
   <source>CPU power consumption</source>
   <translation>Leistungsaufnahme der CPU</translation>
  </message>
  <message>
   <source>CPU utility</source>
   <translation>CPU-Auslastung bezogen auf Nenntakt</translation>
  </message>
  <message>
   <source>CPU, interrupt time</source>
   <translation>CPU, Interrupts</translation>
  </message>
  <message>
   <source>CPU, privileged time</source>
   <translation>CPU, privilegiert</translation>
  </message>
  <message>
   <source>Cache</source>
   <translation>Cache</translation>
  </message>
  <message>
   <source>Cache RAM used</source>
   <translation>Belegter Cache-RAM</translation>
  </message>
  <message>
   <source>Cache RAM used at end</source>
   <translation>Belegter Cache-RAM am Ende</translation>
  </message>
  <message>
   <source>Cache disk</source>
   <translation>Cache-Platte</translation>
  </message>
  <message>
   <source>Cache disk growth at end</source>
   <translation>Wachstum der Cache-Platte am Ende</translation>
  </message>
  <message>
   <source>Cache disk price per GB</source>
   <translation>Preis der Cache-Platte je GB</translation>
  </message>
  <message>
   <source>Cache disk use</source>
   <translation>Belegung der Cache-Platte</translation>
  </message>
  <message>
   <source>Cache disk use levels off</source>
   <translation>Belegung der Cache-Platte flacht ab</translation>
  </message>
  <message>
   <source>Cache disk used</source>
   <translation>Belegung der Cache-Platte</translation>
  </message>
  <message>
   <source>Cache disk used at end</source>
   <translation>Belegung der Cache-Platte am Ende</translation>
  </message>
  <message>
   <source>Cache disk used per VM</source>
   <translation>Belegung der Cache-Platte je VM</translation>
  </message>
  <message>
   <source>Cache full</source>
   <translation>Cache voll</translation>
  </message>
  <message>
   <source>Calculated by</source>
   <translation>Berechnet von</translation>
  </message>
  <message>
   <source>Calculating the {} page…</source>
   <translation>Seite „{}“ wird berechnet…</translation>
  </message>
  <message>
   <source>Calculating…</source>
   <translation>Wird berechnet…</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Capacity plan</source>
   <translation>Kapazitätsplan</translation>
  </message>
  <message>
   <source>Caption and chart scale</source>
   <translation>Untertitel und Skala</translation>
  </message>
  <message>
   <source>Cause</source>
   <translation>Ursache</translation>
  </message>
  <message>
   <source>Causes</source>
   <translation>Ursachen</translation>
  </message>
  <message>
   <source>Cell</source>
   <translation>Feld</translation>
  </message>
  <message>
   <source>Change</source>
   <translation>Änderung</translation>
  </message>
  <message>
   <source>Change from the baseline</source>
   <translation>Änderung gegenüber der Basis</translation>
  </message>
  <message>
   <source>Change to detect</source>
   <translation>Nachzuweisende Änderung</translation>
  </message>
  <message>
   <source>Changed values</source>
   <translation>Geänderte Werte</translation>
  </message>
  <message>
   <source>Changes</source>
   <translation>Änderungen</translation>
  </message>
  <message>
   <source>Changes inside the band are rated 'same'</source>
   <translation>Änderungen im Band gelten als „gleich“</translation>
  </message>
  <message>
   <source>Chart</source>
   <translation>Diagramm</translation>
  </message>
  <message>
   <source>Chart menu</source>
   <translation>Menü des Diagramms</translation>
  </message>
  <message>
   <source>Chart of the finding</source>
   <translation>Diagramm des Befunds</translation>
  </message>
  <message>
   <source>Charts</source>
   <translation>Diagramme</translation>
  </message>
  <message>
   <source>Check detected runs</source>
   <translation>Erkannte Läufe prüfen</translation>
  </message>
  <message>
   <source>Checking contents…</source>
   <translation>Inhalt wird geprüft…</translation>
  </message>
  <message>
   <source>Checking the files of {}…</source>
   <translation>Die Dateien von {} werden geprüft…</translation>
  </message>
  <message>
   <source>Choose a file. The mapping applies to all files with the same header.</source>
   <translation>Wählen Sie eine Datei. Die Zuordnung gilt für alle Dateien mit derselben Kopfzeile.</translation>
  </message>
  <message>
   <source>Choose a folder</source>
   <translation>Ordner wählen</translation>
  </message>
  <message>
   <source>Choose a key file</source>
   <translation>Schlüsseldatei wählen</translation>
  </message>
  <message>
   <source>Choose a logo</source>
   <translation>Logo wählen</translation>
  </message>
  <message>
   <source>Choose a template</source>
   <translation>Vorlage wählen</translation>
  </message>
  <message>
   <source>Choose baseline…</source>
   <translation>Basis wählen…</translation>
  </message>
  <message>
   <source>Choose machines…</source>
   <translation>Maschinen wählen…</translation>
  </message>
  <message>
   <source>Choose the baseline</source>
   <translation>Basis wählen</translation>
  </message>
  <message>
   <source>Choose the history folder</source>
   <translation>Verlaufsordner wählen</translation>
  </message>
  <message>
   <source>Choose “{}” for “{}”.</source>
   <translation>Wählen Sie „{}“ unter „{}“.</translation>
  </message>
  <message>
   <source>Choose…</source>
   <translation>Wählen…</translation>
  </message>
  <message>
   <source>Click a VM</source>
   <translation>Klick auf eine VM</translation>
  </message>
  <message>
   <source>Click a column header</source>
   <translation>Klick auf einen Spaltenkopf</translation>
  </message>
  <message>
   <source>Click a legend entry; or L, then Space</source>
   <translation>Klick auf einen Legendeneintrag; oder L, dann Leertaste</translation>
  </message>
  <message>
   <source>Clock</source>
   <translation>Uhrzeit</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Close study</source>
   <translation>Studie schließen</translation>
  </message>
  <message>
   <source>Collapse</source>
   <translation>Einklappen</translation>
  </message>
  <message>
   <source>Collection</source>
   <translation>Datensammlung</translation>
  </message>
  <message>
   <source>Colours of the window. The system setting is only read at startup.</source>
   <translation>Farben des Fensters. Die Einstellung des Systems wird nur beim Start gelesen.</translation>
  </message>
  <message>
   <source>Column</source>
   <translation>Spalte</translation>
  </message>
  <message>
   <source>Columns</source>
   <translation>Spalten</translation>
  </message>
  <message>
   <source>Columns and their meaning</source>
   <translation>Spalten und ihre Bedeutung</translation>
  </message>
  <message>
   <source>Command palette</source>
   <translation>Befehlspalette</translation>
  </message>
  <message>
   <source>Commands found</source>
   <translation>Gefundene Befehle</translation>
  </message>
  <message>
   <source>Common axis, linear</source>
   <translation>Gemeinsame Achse, linear</translation>
  </message>
  <message>
   <source>Common axis, logarithmic</source>
   <translation>Gemeinsame Achse, logarithmisch</translation>
  </message>
  <message>
   <source>Compare</source>
   <translation>Vergleich</translation>
  </message>
  <message>
   <source>Compare with</source>
   <translation>Vergleichen mit</translation>
  </message>
  <message>
   <source>Compared with</source>
   <translation>Verglichen mit</translation>
  </message>
  <message>
   <source>Comparing…</source>
   <translation>Wird verglichen…</translation>
  </message>
  <message>
   <source>Comparison</source>
   <translation>Vergleich</translation>
  </message>
  <message>
   <source>Configuration</source>
   <translation>Konfiguration</translation>
  </message>
  <message>
   <source>Configuration of {}</source>
   <translation>Konfiguration von {}</translation>
  </message>
  <message>
   <source>Configuration or run</source>
   <translation>Konfiguration oder Lauf</translation>
  </message>
  <message>
   <source>Configurations</source>
   <translation>Konfigurationen</translation>
  </message>
  <message>
   <source>Configurations and counters keep their names. Check your own notes before you share the file.</source>
   <translation>Konfigurationen und Zähler behalten ihre Namen. Prüfen Sie Ihre eigenen Notizen, bevor Sie die Datei weitergeben.</translation>
  </message>
  <message>
   <source>Configurations to compare, separated by commas, baseline first</source>
   <translation>Zu vergleichende Konfigurationen, durch Kommas getrennt, die Basis zuerst</translation>
  </message>
  <message>
   <source>Contains</source>
   <translation>Inhalt</translation>
  </message>
  <message>
   <source>Contents</source>
   <translation>Inhalt</translation>
  </message>
  <message>
   <source>Contents of the export</source>
   <translation>Inhalt des Exports</translation>
  </message>
  <message>
   <source>Contents of the kit</source>
   <translation>Inhalt des Testpakets</translation>
  </message>
  <message>
   <source>Contribution</source>
   <translation>Beitrag</translation>
  </message>
  <message>
   <source>Copy as image</source>
   <translation>Als Bild kopieren</translation>
  </message>
  <message>
   <source>Copy as list</source>
   <translation>Als Liste kopieren</translation>
  </message>
  <message>
   <source>Copy cell</source>
   <translation>Zelle kopieren</translation>
  </message>
  <message>
   <source>Copy command</source>
   <translation>Befehl kopieren</translation>
  </message>
  <message>
   <source>Copy data</source>
   <translation>Daten kopieren</translation>
  </message>
  <message>
   <source>Copy message</source>
   <translation>Meldung kopieren</translation>
  </message>
  <message>
   <source>Copy messages</source>
   <translation>Meldungen kopieren</translation>
  </message>
  <message>
   <source>Copy page i&amp;mage</source>
   <translation>Seite als &amp;Bild kopieren</translation>
  </message>
  <message>
   <source>Copy row</source>
   <translation>Zeile kopieren</translation>
  </message>
  <message>
   <source>Copy rows</source>
   <translation>Zeilen kopieren</translation>
  </message>
  <message>
   <source>Copy selection</source>
   <translation>Auswahl kopieren</translation>
  </message>
  <message>
   <source>Copy ta&amp;ble</source>
   <translation>&amp;Tabelle kopieren</translation>
  </message>
  <message>
   <source>Copy table</source>
   <translation>Tabelle kopieren</translation>
  </message>
  <message>
   <source>Copy values</source>
   <translation>Werte kopieren</translation>
  </message>
  <message>
   <source>Cores per host</source>
   <translation>Kerne je Host</translation>
  </message>
  <message>
   <source>Correlation between VMs</source>
   <translation>Korrelation zwischen VMs</translation>
  </message>
  <message>
   <source>Cost</source>
   <translation>Kosten</translation>
  </message>
  <message>
   <source>Counter</source>
   <translation>Zähler</translation>
  </message>
  <message>
   <source>Counter values</source>
   <translation>Zählerwerte</translation>
  </message>
  <message>
   <source>Counters</source>
   <translation>Zähler</translation>
  </message>
  <message>
   <source>Counters in the chart</source>
   <translation>Zähler im Diagramm</translation>
  </message>
  <message>
   <source>Counters of the study</source>
   <translation>Zähler der Studie</translation>
  </message>
  <message>
   <source>Counters to log for your questions</source>
   <translation>Zähler, die Sie für Ihre Fragen aufzeichnen müssen</translation>
  </message>
  <message>
   <source>Cover</source>
   <translation>Deckblatt</translation>
  </message>
  <message>
   <source>Create here</source>
   <translation>Hier erstellen</translation>
  </message>
  <message>
   <source>Create test &amp;kit…</source>
   <translation>Test&amp;paket erstellen…</translation>
  </message>
  <message>
   <source>Create test kit…</source>
   <translation>Testpaket erstellen…</translation>
  </message>
  <message>
   <source>Cross: the published example</source>
   <translation>Kreuz: veröffentlichtes Beispiel</translation>
  </message>
  <message>
   <source>Ctrl+C</source>
   <translation>Strg+C</translation>
  </message>
  <message>
   <source>Ctrl+Enter</source>
   <translation>Strg+Eingabe</translation>
  </message>
  <message>
   <source>Ctrl+click or Shift+click</source>
   <translation>Strg+Klick oder Umschalt+Klick</translation>
  </message>
  <message>
   <source>Customer</source>
   <translation>Kunde</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>Dunkel</translation>
  </message>
  <message>
   <source>Dashed line: cache overflow of each VM</source>
   <translation>Gestrichelt bei 0: Cache-Überlauf jeder VM</translation>
  </message>
  <message>
   <source>Dashed: launched sessions</source>
   <translation>Gestrichelt: gestartete Sitzungen</translation>
  </message>
  <message>
   <source>Dashed: the baseline</source>
   <translation>Gestrichelt: die Basis</translation>
  </message>
  <message>
   <source>Dashed: the limit</source>
   <translation>Gestrichelt: die Grenze</translation>
  </message>
  <message>
   <source>Dashed: the threshold</source>
   <translation>Gestrichelt: die Schwelle</translation>
  </message>
  <message>
   <source>Dashed: trend of a run without steady load</source>
   <translation>Gestrichelt: Trend eines Laufs ohne stabile Last</translation>
  </message>
  <message>
   <source>Dashed: trend over the logon storm</source>
   <translation>Gestrichelt: Trend über den Logon-Storm</translation>
  </message>
  <message>
   <source>Data (.parquet)</source>
   <translation>Daten (.parquet)</translation>
  </message>
  <message>
   <source>Data for each question</source>
   <translation>Daten für jede Frage</translation>
  </message>
  <message>
   <source>Date</source>
   <translation>Datum</translation>
  </message>
  <message>
   <source>Dates of the runs</source>
   <translation>Datum der Läufe</translation>
  </message>
  <message>
   <source>Deciding step: largest value of its group</source>
   <translation>Maßgeblicher Schritt: größter Wert seiner Gruppe</translation>
  </message>
  <message>
   <source>Decimal mark</source>
   <translation>Dezimalzeichen</translation>
  </message>
  <message>
   <source>Decimal mark of numbers on screen and in copied tables. Exports, the command line and JSON do not use this setting.</source>
   <translation>Dezimalzeichen der Zahlen am Bildschirm und in kopierten Tabellen. Exporte, Befehlszeile und JSON verwenden diese Einstellung nicht.</translation>
  </message>
  <message>
   <source>Decimals</source>
   <translation>Dezimalzeichen</translation>
  </message>
  <message>
   <source>Del</source>
   <translation>Entf</translation>
  </message>
  <message>
   <source>Del in the counter list</source>
   <translation>Entf in der Liste der Zähler</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>Löschen</translation>
  </message>
  <message>
   <source>Description</source>
   <translation>Beschreibung</translation>
  </message>
  <message>
   <source>Desktops</source>
   <translation>Desktops</translation>
  </message>
  <message>
   <source>Desktops per VM</source>
   <translation>Desktops je VM</translation>
  </message>
  <message>
   <source>Detected runs</source>
   <translation>Erkannte Läufe</translation>
  </message>
  <message>
   <source>Deutsch</source>
   <translation>Deutsch</translation>
  </message>
  <message>
   <source>Diamond: cache that the most demanding VM needs</source>
   <translation>Raute: Cache, den die VM mit dem höchsten Bedarf braucht</translation>
  </message>
  <message>
   <source>Diamond: the time that you chose</source>
   <translation>Raute: die gewählte Zeit</translation>
  </message>
  <message>
   <source>Difference</source>
   <translation>Unterschied</translation>
  </message>
  <message>
   <source>Differences</source>
   <translation>Unterschiede</translation>
  </message>
  <message>
   <source>Disagreement</source>
   <translation>Abweichung</translation>
  </message>
  <message>
   <source>Discard changes</source>
   <translation>Änderungen verwerfen</translation>
  </message>
  <message>
   <source>Disk I/Os per write</source>
   <translation>Platten-I/Os je Schreibzugriff</translation>
  </message>
  <message>
   <source>Disk capacity</source>
   <translation>Plattenkapazität</translation>
  </message>
  <message>
   <source>Disk space per GB stored</source>
   <translation>Plattenplatz je gespeichertes GB</translation>
  </message>
  <message>
   <source>Disk space per VM</source>
   <translation>Plattenplatz je VM</translation>
  </message>
  <message>
   <source>Disks</source>
   <translation>Platten</translation>
  </message>
  <message>
   <source>Disks per enclosure</source>
   <translation>Platten je Gehäuse</translation>
  </message>
  <message>
   <source>Disks, hosts and cache RAM of each configuration</source>
   <translation>Platten, Hosts und Cache-RAM jeder Konfiguration</translation>
  </message>
  <message>
   <source>Distribution</source>
   <translation>Verteilung</translation>
  </message>
  <message>
   <source>Do applications start more slowly with more sessions?</source>
   <translation>Starten Anwendungen mit mehr Sitzungen langsamer?</translation>
  </message>
  <message>
   <source>Does each configuration meet the limits?</source>
   <translation>Hält jede Konfiguration die Grenzen ein?</translation>
  </message>
  <message>
   <source>Does not apply to this configuration</source>
   <translation>Gilt nicht für diese Konfiguration</translation>
  </message>
  <message>
   <source>Does the I/O dip when the cache overflows?</source>
   <translation>Bricht die I/O ein, wenn der Cache überläuft?</translation>
  </message>
  <message>
   <source>Does the RAM cache overflow, and when?</source>
   <translation>Läuft der RAM-Cache über, und wann?</translation>
  </message>
  <message>
   <source>Don't save</source>
   <translation>Nicht speichern</translation>
  </message>
  <message>
   <source>Dot: first overflow, or levelling off</source>
   <translation>Punkt: erster Überlauf oder Beginn des Abflachens</translation>
  </message>
  <message>
   <source>Dot: one response</source>
   <translation>Punkt: eine gemessene Antwortzeit</translation>
  </message>
  <message>
   <source>Dot: one run</source>
   <translation>Punkt: ein Lauf</translation>
  </message>
  <message>
   <source>Dot: one start</source>
   <translation>Punkt: ein Start</translation>
  </message>
  <message>
   <source>Dot: the logon of one session</source>
   <translation>Punkt: die Anmeldung einer Sitzung</translation>
  </message>
  <message>
   <source>Dots: measured values of tested sizes</source>
   <translation>Punkte: Messwerte getesteter Größen</translation>
  </message>
  <message>
   <source>Dots: p50, p95 and p99</source>
   <translation>Punkte: p50, p95 und p99</translation>
  </message>
  <message>
   <source>Dotted: latency from outstanding I/Os ÷ IOPS</source>
   <translation>Gepunktet: Latenz aus ausstehenden I/Os ÷ IOPS</translation>
  </message>
  <message>
   <source>Dotted: number of sessions at VSImax</source>
   <translation>Gepunktet: Zahl der Sitzungen bei VSImax</translation>
  </message>
  <message>
   <source>Double-click a flag</source>
   <translation>Doppelklick auf ein Fähnchen</translation>
  </message>
  <message>
   <source>Double-click below the chart</source>
   <translation>Doppelklick unter dem Diagramm</translation>
  </message>
  <message>
   <source>Double-click or 0</source>
   <translation>Doppelklick oder 0</translation>
  </message>
  <message>
   <source>Double-click or Return</source>
   <translation>Doppelklick oder Eingabe</translation>
  </message>
  <message>
   <source>Drag</source>
   <translation>Ziehen</translation>
  </message>
  <message>
   <source>Drag a phase edge</source>
   <translation>Phasengrenze ziehen</translation>
  </message>
  <message>
   <source>Drag counters to the chart</source>
   <translation>Zähler in das Diagramm ziehen</translation>
  </message>
  <message>
   <source>Drag the frame or its edges. Double-click a phase to show it. Ctrl+wheel zooms.</source>
   <translation>Rahmen oder Kanten ziehen. Ein Doppelklick auf eine Phase zeigt nur diese Phase. Strg+Mausrad zoomt.</translation>
  </message>
  <message>
   <source>Drag the frame shown below the chart</source>
   <translation>Den Rahmen unter dem Diagramm ziehen</translation>
  </message>
  <message>
   <source>Drawn</source>
   <translation>Dargestellt</translation>
  </message>
  <message>
   <source>Duration</source>
   <translation>Dauer</translation>
  </message>
  <message>
   <source>E&amp;xclude/include run</source>
   <translation>Lauf &amp;aus-/einschließen</translation>
  </message>
  <message>
   <source>E&amp;xport slides…</source>
   <translation>Folien e&amp;xportieren…</translation>
  </message>
  <message>
   <source>EUX</source>
   <translation>EUX</translation>
  </message>
  <message>
   <source>Each phase</source>
   <translation>Jede Phase</translation>
  </message>
  <message>
   <source>Each sample is the mean over the interval before its timestamp. Only the part of this interval inside the phase counts.</source>
   <translation>Jeder Messwert ist das Mittel über das Intervall vor seinem Zeitstempel. Nur der Teil dieses Intervalls innerhalb der Phase zählt.</translation>
  </message>
  <message>
   <source>Edit limits…</source>
   <translation>Grenzen bearbeiten…</translation>
  </message>
  <message>
   <source>Edit run</source>
   <translation>Lauf bearbeiten</translation>
  </message>
  <message>
   <source>Edit run…</source>
   <translation>Lauf bearbeiten…</translation>
  </message>
  <message>
   <source>Edit text…	F2</source>
   <translation>Text bearbeiten…	F2</translation>
  </message>
  <message>
   <source>Edit the finding</source>
   <translation>Befund bearbeiten</translation>
  </message>
  <message>
   <source>Edit {} runs</source>
   <translation>{} Läufe bearbeiten</translation>
  </message>
  <message>
   <source>Edits without a finding</source>
   <translation>Änderungen ohne Befund</translation>
  </message>
  <message>
   <source>Enclosures</source>
   <translation>Gehäuse</translation>
  </message>
  <message>
   <source>Encoding</source>
   <translation>Kodierung</translation>
  </message>
  <message>
   <source>Encoding time of a frame</source>
   <translation>Kodierzeit eines Frames</translation>
  </message>
  <message>
   <source>English</source>
   <translation>English</translation>
  </message>
  <message>
   <source>Enter the history folder.</source>
   <translation>Geben Sie den Verlaufsordner ein.</translation>
  </message>
  <message>
   <source>Error</source>
   <translation>Fehler</translation>
  </message>
  <message>
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
  <message>
   <source>Esc, F5</source>
   <translation>Esc, F5</translation>
  </message>
  <message>
   <source>Estimate (upper bound)</source>
   <translation>Schätzung (Obergrenze)</translation>
  </message>
  <message>
   <source>Every configuration is hidden or excluded. Tick one in the tree on the left.</source>
   <translation>Alle Konfigurationen sind ausgeblendet oder ausgeschlossen. Haken Sie links im Baum mindestens eine Konfiguration an.</translation>
  </message>
  <message>
   <source>Every phase</source>
   <translation>Jede Phase</translation>
  </message>
  <message>
   <source>Every sample</source>
   <translation>Jeder Messwert</translation>
  </message>
  <message>
   <source>Everything</source>
   <translation>Alles</translation>
  </message>
  <message>
   <source>Evidence</source>
   <translation>Beleg</translation>
  </message>
  <message>
   <source>Excel workbook (.xlsx)</source>
   <translation>Excel-Arbeitsmappe (.xlsx)</translation>
  </message>
  <message>
   <source>Exclude</source>
   <translation>Ausschließen</translation>
  </message>
  <message>
   <source>Exclude from results</source>
   <translation>Aus Ergebnissen ausschließen</translation>
  </message>
  <message>
   <source>Exclude machine</source>
   <translation>Maschine ausschließen</translation>
  </message>
  <message>
   <source>Exclude {}</source>
   <translation>{} ausschließen</translation>
  </message>
  <message>
   <source>Excluded: {}</source>
   <translation>Ausgeschlossen: {}</translation>
  </message>
  <message>
   <source>Existing runs</source>
   <translation>Vorhandene Läufe</translation>
  </message>
  <message>
   <source>Export</source>
   <translation>Exportieren</translation>
  </message>
  <message>
   <source>Export slides…</source>
   <translation>Folien exportieren…</translation>
  </message>
  <message>
   <source>Exporting</source>
   <translation>Export läuft</translation>
  </message>
  <message>
   <source>Export…</source>
   <translation>Exportieren…</translation>
  </message>
  <message>
   <source>F&amp;indings</source>
   <translation>Be&amp;funde</translation>
  </message>
  <message>
   <source>F2</source>
   <translation>F2</translation>
  </message>
  <message>
   <source>F5 presents the brief version</source>
   <translation>F5 startet die Kurzfassung</translation>
  </message>
  <message>
   <source>F8, Shift+F8</source>
   <translation>F8, Umschalt+F8</translation>
  </message>
  <message>
   <source>Fail: the whole interval is beyond the limit</source>
   <translation>Nicht eingehalten: Das ganze Intervall liegt jenseits der Grenze</translation>
  </message>
  <message>
   <source>Fewer columns</source>
   <translation>Weniger Spalten</translation>
  </message>
  <message>
   <source>File</source>
   <translation>Datei</translation>
  </message>
  <message>
   <source>File › Export… lists omitted parts and the reasons.</source>
   <translation>Datei › Exportieren… nennt die fehlenden Teile und die Gründe.</translation>
  </message>
  <message>
   <source>Files</source>
   <translation>Dateien</translation>
  </message>
  <message>
   <source>Files in the kit</source>
   <translation>Dateien des Testpakets</translation>
  </message>
  <message>
   <source>Files of this run</source>
   <translation>Dateien dieses Laufs</translation>
  </message>
  <message>
   <source>Files to import from {}: {}. Imported: {}. Folders with results: {}.</source>
   <translation>Zu importierende Dateien aus {}: {}. Importiert: {}. Ordner mit Ergebnissen: {}.</translation>
  </message>
  <message>
   <source>Fill rate</source>
   <translation>Füllrate</translation>
  </message>
  <message>
   <source>Filling</source>
   <translation>Füllung</translation>
  </message>
  <message>
   <source>Filter</source>
   <translation>Filter</translation>
  </message>
  <message>
   <source>Find a coun&amp;ter…</source>
   <translation>&amp;Zähler suchen…</translation>
  </message>
  <message>
   <source>Finding</source>
   <translation>Befund</translation>
  </message>
  <message>
   <source>Findings</source>
   <translation>Befunde</translation>
  </message>
  <message>
   <source>Findings that changed</source>
   <translation>Geänderte Befunde</translation>
  </message>
  <message>
   <source>First overflow</source>
   <translation>Erster Überlauf</translation>
  </message>
  <message>
   <source>First rows of the file</source>
   <translation>Erste Zeilen der Datei</translation>
  </message>
  <message>
   <source>First sample</source>
   <translation>Erster Messwert</translation>
  </message>
  <message>
   <source>First value</source>
   <translation>Erster Wert</translation>
  </message>
  <message>
   <source>Fixed automatically</source>
   <translation>Automatisch korrigiert</translation>
  </message>
  <message>
   <source>Flag: your note</source>
   <translation>Fähnchen: Ihre Notiz</translation>
  </message>
  <message>
   <source>Folder for the test kit</source>
   <translation>Ordner für das Testpaket</translation>
  </message>
  <message>
   <source>Follow ru&amp;nning test</source>
   <translation>Laufenden Test &amp;verfolgen</translation>
  </message>
  <message>
   <source>Format</source>
   <translation>Format</translation>
  </message>
  <message>
   <source>Formula</source>
   <translation>Formel</translation>
  </message>
  <message>
   <source>Formula with numbers</source>
   <translation>Formel mit Zahlen</translation>
  </message>
  <message>
   <source>Formula, phase and rule</source>
   <translation>Formel, Phase und Regel</translation>
  </message>
  <message>
   <source>Frames sent</source>
   <translation>Gesendete Frames</translation>
  </message>
  <message>
   <source>Frames skipped (slow client)</source>
   <translation>Übersprungene Frames (Client zu langsam)</translation>
  </message>
  <message>
   <source>Frames skipped (slow network)</source>
   <translation>Übersprungene Frames (Netzwerk zu langsam)</translation>
  </message>
  <message>
   <source>Frames skipped (slow server)</source>
   <translation>Übersprungene Frames (Server zu langsam)</translation>
  </message>
  <message>
   <source>Full: everything, with appendix</source>
   <translation>Vollständig: alles, mit Anhang</translation>
  </message>
  <message>
   <source>Gain</source>
   <translation>Zuwachs</translation>
  </message>
  <message>
   <source>Gaps are sample intervals longer than three times the median interval. I/O in gaps is not counted. The import report lists the gaps.</source>
   <translation>Lücken sind Messintervalle, die länger sind als das Dreifache des mittleren Intervalls (Median). I/O in Lücken wird nicht gezählt. Der Importbericht nennt die Lücken.</translation>
  </message>
  <message>
   <source>Generated sentence</source>
   <translation>Erzeugter Satz</translation>
  </message>
  <message>
   <source>Go to evidence</source>
   <translation>Zum Beleg</translation>
  </message>
  <message>
   <source>Group by</source>
   <translation>Gruppieren nach</translation>
  </message>
  <message>
   <source>Group by &amp;run</source>
   <translation>Nach &amp;Läufen gruppieren</translation>
  </message>
  <message>
   <source>Growth</source>
   <translation>Wachstum</translation>
  </message>
  <message>
   <source>Guessed: {}</source>
   <translation>Vermutet: {}</translation>
  </message>
  <message>
   <source>Guest counters</source>
   <translation>Zähler im Gast</translation>
  </message>
  <message>
   <source>HBA port speed</source>
   <translation>Geschwindigkeit des HBA-Ports</translation>
  </message>
  <message>
   <source>HBA port type</source>
   <translation>Typ des HBA-Ports</translation>
  </message>
  <message>
   <source>Hardware</source>
   <translation>Hardware</translation>
  </message>
  <message>
   <source>Headline</source>
   <translation>Überschrift</translation>
  </message>
  <message>
   <source>Height in pixels</source>
   <translation>Höhe in Pixeln</translation>
  </message>
  <message>
   <source>Helps</source>
   <translation>Hilfreich</translation>
  </message>
  <message>
   <source>Hide</source>
   <translation>Ausblenden</translation>
  </message>
  <message>
   <source>Hide empty columns and columns that do not fit</source>
   <translation>Leere und nicht passende Spalten ausblenden</translation>
  </message>
  <message>
   <source>Hide other configurations</source>
   <translation>Andere Konfigurationen ausblenden</translation>
  </message>
  <message>
   <source>Hide other entries</source>
   <translation>Andere Einträge ausblenden</translation>
  </message>
  <message>
   <source>Hide past runs</source>
   <translation>Frühere Läufe ausblenden</translation>
  </message>
  <message>
   <source>Hide this column</source>
   <translation>Diese Spalte ausblenden</translation>
  </message>
  <message>
   <source>High</source>
   <translation>Hoch</translation>
  </message>
  <message>
   <source>Highest</source>
   <translation>Höchster</translation>
  </message>
  <message>
   <source>Highest and lowest responses excluded (minimum of each)</source>
   <translation>Ausgeschlossene Höchst- und Tiefstwerte (jeweilige Mindestzahl)</translation>
  </message>
  <message>
   <source>Highest and lowest responses excluded (share of each)</source>
   <translation>Ausgeschlossene Höchst- und Tiefstwerte (jeweiliger Anteil)</translation>
  </message>
  <message>
   <source>Highest first</source>
   <translation>Höchste zuerst</translation>
  </message>
  <message>
   <source>Highest responses excluded</source>
   <translation>Ausgeschlossene Höchstwerte</translation>
  </message>
  <message>
   <source>Highlight VM</source>
   <translation>VM hervorheben</translation>
  </message>
  <message>
   <source>Highlight the bar named in the headline</source>
   <translation>Balken der Überschrift hervorheben</translation>
  </message>
  <message>
   <source>History folder</source>
   <translation>Verlaufsordner</translation>
  </message>
  <message>
   <source>Home, End</source>
   <translation>Pos1, Ende</translation>
  </message>
  <message>
   <source>Host</source>
   <translation>Host</translation>
  </message>
  <message>
   <source>Hosts</source>
   <translation>Hosts</translation>
  </message>
  <message>
   <source>How are IOPS per VM distributed during logon?</source>
   <translation>Wie verteilen sich die IOPS je VM bei der Anmeldung?</translation>
  </message>
  <message>
   <source>How are IOPS per VM distributed in steady state?</source>
   <translation>Wie verteilen sich die IOPS je VM im Steady State?</translation>
  </message>
  <message>
   <source>How busy are the processors of VMs and hosts?</source>
   <translation>Wie stark sind die Prozessoren der VMs und Hosts ausgelastet?</translation>
  </message>
  <message>
   <source>How fast does the cache fill?</source>
   <translation>Wie schnell füllt sich der Cache?</translation>
  </message>
  <message>
   <source>How long do logons take during the storm?</source>
   <translation>Wie lange dauern Anmeldungen während des Logon-Storms?</translation>
  </message>
  <message>
   <source>How long do logons take?</source>
   <translation>Wie lange dauern Anmeldungen?</translation>
  </message>
  <message>
   <source>How long do reads and writes take?</source>
   <translation>Wie lange dauern Lese- und Schreibzugriffe?</translation>
  </message>
  <message>
   <source>How long does an I/O take?</source>
   <translation>Wie lange dauert eine I/O?</translation>
  </message>
  <message>
   <source>How many IOPS can the storage deliver (fio, DiskSpd)?</source>
   <translation>Wie viele IOPS liefert das Storage (fio, DiskSpd)?</translation>
  </message>
  <message>
   <source>How many IOPS does an acceptable boot time need?</source>
   <translation>Wie viele IOPS sind für eine annehmbare Startzeit nötig?</translation>
  </message>
  <message>
   <source>How many IOPS per VM during boot, logon and steady state?</source>
   <translation>Wie viele IOPS erzeugt eine VM in jeder Phase?</translation>
  </message>
  <message>
   <source>How many runs does the comparison need?</source>
   <translation>Wie viele Läufe braucht der Vergleich?</translation>
  </message>
  <message>
   <source>How many sessions does the system support (VSImax)?</source>
   <translation>Wie viele Sitzungen verkraftet das System (VSImax)?</translation>
  </message>
  <message>
   <source>How many sessions does the system support?</source>
   <translation>Wie viele Sitzungen verkraftet das System?</translation>
  </message>
  <message>
   <source>How many sessions were active?</source>
   <translation>Wie viele Sitzungen waren aktiv?</translation>
  </message>
  <message>
   <source>How much RAM cache is enough?</source>
   <translation>Wie viel RAM-Cache genügt?</translation>
  </message>
  <message>
   <source>How much RAM cache is worth its cost?</source>
   <translation>Wie viel RAM-Cache lohnt sich?</translation>
  </message>
  <message>
   <source>How much cache does each VM use?</source>
   <translation>Wie viel Cache belegt jede VM?</translation>
  </message>
  <message>
   <source>How much do repeated tests vary?</source>
   <translation>Wie stark schwanken wiederholte Tests?</translation>
  </message>
  <message>
   <source>How much load does the storage support?</source>
   <translation>Wie viel Last verkraftet das Storage?</translation>
  </message>
  <message>
   <source>How much storage I/O does each VM generate?</source>
   <translation>Wie viel Storage-I/O erzeugt jede VM?</translation>
  </message>
  <message>
   <source>How responsive are sessions and their network connections?</source>
   <translation>Wie gut reagieren die Sitzungen und ihre Netzwerkverbindungen?</translation>
  </message>
  <message>
   <source>How to read this page</source>
   <translation>So liest man diese Seite</translation>
  </message>
  <message>
   <source>I/O per boot</source>
   <translation>I/O je VM beim Start</translation>
  </message>
  <message>
   <source>I/O size</source>
   <translation>I/O-Größe</translation>
  </message>
  <message>
   <source>IOPS</source>
   <translation>IOPS</translation>
  </message>
  <message>
   <source>IOPS dip at overflow</source>
   <translation>IOPS-Einbruch beim Überlauf</translation>
  </message>
  <message>
   <source>IOPS of one 15k drive</source>
   <translation>IOPS einer 15k-Platte</translation>
  </message>
  <message>
   <source>IOPS of the working load</source>
   <translation>IOPS unter Arbeitslast</translation>
  </message>
  <message>
   <source>IOPS per VM</source>
   <translation>IOPS je VM</translation>
  </message>
  <message>
   <source>IOPS per VM, steady state</source>
   <translation>IOPS je VM, Steady State</translation>
  </message>
  <message>
   <source>IOPS per disk</source>
   <translation>IOPS je Platte</translation>
  </message>
  <message>
   <source>IOPS per user</source>
   <translation>IOPS je Benutzer</translation>
  </message>
  <message>
   <source>Identical columns</source>
   <translation>Gleiche Spalten</translation>
  </message>
  <message>
   <source>If no configuration is ticked, the limit applies to all.</source>
   <translation>Ist keine Konfiguration angehakt, gilt die Grenze für alle.</translation>
  </message>
  <message>
   <source>Images (.png)</source>
   <translation>Bilder (.png)</translation>
  </message>
  <message>
   <source>Import cache limit</source>
   <translation>Höchstgröße des Import-Caches</translation>
  </message>
  <message>
   <source>Import report</source>
   <translation>Importbericht</translation>
  </message>
  <message>
   <source>Include again</source>
   <translation>Wieder einbeziehen</translation>
  </message>
  <message>
   <source>Include all machines</source>
   <translation>Alle Maschinen einbeziehen</translation>
  </message>
  <message>
   <source>Inconclusive</source>
   <translation>Nicht eindeutig</translation>
  </message>
  <message>
   <source>Inconclusive: neither pass nor fail</source>
   <translation>Nicht eindeutig: weder eingehalten noch verfehlt</translation>
  </message>
  <message>
   <source>Index</source>
   <translation>Index</translation>
  </message>
  <message>
   <source>Input</source>
   <translation>Eingabe</translation>
  </message>
  <message>
   <source>Input delay</source>
   <translation>Eingabeverzögerung</translation>
  </message>
  <message>
   <source>Inputs</source>
   <translation>Eingaben</translation>
  </message>
  <message>
   <source>Insert after the selected slide:</source>
   <translation>Nach der gewählten Folie einfügen:</translation>
  </message>
  <message>
   <source>Instance</source>
   <translation>Instanz</translation>
  </message>
  <message>
   <source>Interval</source>
   <translation>Intervall</translation>
  </message>
  <message>
   <source>Interval of the change</source>
   <translation>Intervall der Änderung</translation>
  </message>
  <message>
   <source>Interval over runs</source>
   <translation>Intervall über die Läufe</translation>
  </message>
  <message>
   <source>Job</source>
   <translation>Job</translation>
  </message>
  <message>
   <source>Jobs</source>
   <translation>Jobs</translation>
  </message>
  <message>
   <source>Join into one configuration</source>
   <translation>Läufe zusammenfassen</translation>
  </message>
  <message>
   <source>Join the ticked runs into one configuration</source>
   <translation>Die angehakten Läufe zu einer Konfiguration zusammenfassen</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>Aufnehmen</translation>
  </message>
  <message>
   <source>Keep as finding</source>
   <translation>Als Befund behalten</translation>
  </message>
  <message>
   <source>Keep in histor&amp;y…</source>
   <translation>In den Verlau&amp;f aufnehmen…</translation>
  </message>
  <message>
   <source>Keep in history</source>
   <translation>Im Verlauf speichern</translation>
  </message>
  <message>
   <source>Key</source>
   <translation>Schlüssel</translation>
  </message>
  <message>
   <source>Key file with the original names</source>
   <translation>Schlüsseldatei mit den ursprünglichen Namen</translation>
  </message>
  <message>
   <source>Keys and gestures</source>
   <translation>Tasten und Gesten</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>Language of VDI Workbench. A change takes effect after a restart.</source>
   <translation>Sprache von VDI Workbench. Eine Änderung gilt nach einem Neustart.</translation>
  </message>
  <message>
   <source>Last</source>
   <translation>Letzter</translation>
  </message>
  <message>
   <source>Latencies</source>
   <translation>Latenzen</translation>
  </message>
  <message>
   <source>Latencies are means over all I/Os. Percentiles cover all samples of all VMs in the phase.</source>
   <translation>Latenzen sind Mittel über alle I/Os. Perzentile werden aus allen Messwerten aller VMs in der Phase berechnet.</translation>
  </message>
  <message>
   <source>Latency</source>
   <translation>Latenz</translation>
  </message>
  <message>
   <source>Latency histograms</source>
   <translation>Latenz-Histogramme</translation>
  </message>
  <message>
   <source>Latest responses used</source>
   <translation>Zahl der letzten Antwortzeiten</translation>
  </message>
  <message>
   <source>Launched</source>
   <translation>Gestartet</translation>
  </message>
  <message>
   <source>Left: latency percentile of one test</source>
   <translation>Links: Latenz-Perzentil eines Tests</translation>
  </message>
  <message>
   <source>Left: share of samples in each bin</source>
   <translation>Links: Anteil der Messwerte je Klasse</translation>
  </message>
  <message>
   <source>Length</source>
   <translation>Länge</translation>
  </message>
  <message>
   <source>Light</source>
   <translation>Hell</translation>
  </message>
  <message>
   <source>Limit</source>
   <translation>Grenze</translation>
  </message>
  <message>
   <source>Limit applies to</source>
   <translation>Grenze gilt für</translation>
  </message>
  <message>
   <source>Limit type</source>
   <translation>Art der Grenze</translation>
  </message>
  <message>
   <source>Limitations</source>
   <translation>Einschränkungen</translation>
  </message>
  <message>
   <source>Limits</source>
   <translation>Grenzen</translation>
  </message>
  <message>
   <source>Limits saved in {}.</source>
   <translation>Grenzen in {} gespeichert.</translation>
  </message>
  <message>
   <source>Line</source>
   <translation>Zeile</translation>
  </message>
  <message>
   <source>Line: IOPS needed for an acceptable time</source>
   <translation>Linie: erforderliche IOPS für eine annehmbare Zeit</translation>
  </message>
  <message>
   <source>Line: IOPS of each step</source>
   <translation>Linie: IOPS jeder Stufe</translation>
  </message>
  <message>
   <source>Line: mean between two steps</source>
   <translation>Linie: Mittel zwischen zwei Sprüngen</translation>
  </message>
  <message>
   <source>Line: mean of the runs</source>
   <translation>Linie: Mittel der Läufe</translation>
  </message>
  <message>
   <source>Line: mean response time</source>
   <translation>Linie: mittlere Antwortzeit</translation>
  </message>
  <message>
   <source>Line: median of the VMs</source>
   <translation>Linie: Median der VMs</translation>
  </message>
  <message>
   <source>Line: median start time</source>
   <translation>Linie: Median der Startzeit</translation>
  </message>
  <message>
   <source>Line: one VM, or median of the VMs</source>
   <translation>Linie: eine VM oder der Median der VMs</translation>
  </message>
  <message>
   <source>Line: one counter</source>
   <translation>Linie: ein Zähler</translation>
  </message>
  <message>
   <source>Line: predicted value</source>
   <translation>Linie: vorhergesagter Wert</translation>
  </message>
  <message>
   <source>Line: response index of the VSImax model</source>
   <translation>Linie: Antwortindex des VSImax-Modells</translation>
  </message>
  <message>
   <source>Lines that cannot be read will not be saved.</source>
   <translation>Nicht lesbare Zeilen werden nicht gespeichert.</translation>
  </message>
  <message>
   <source>List of findings</source>
   <translation>Liste der Befunde</translation>
  </message>
  <message>
   <source>Load</source>
   <translation>Belastung</translation>
  </message>
  <message>
   <source>Load curve</source>
   <translation>Lastkurve</translation>
  </message>
  <message>
   <source>Load model</source>
   <translation>Lastmodell</translation>
  </message>
  <message>
   <source>Load of the busiest link</source>
   <translation>Auslastung der am stärksten belasteten Verbindung</translation>
  </message>
  <message>
   <source>Load of the storage test</source>
   <translation>Last des Storage-Tests</translation>
  </message>
  <message>
   <source>Logo (.png, .jpg)</source>
   <translation>Logo (.png, .jpg)</translation>
  </message>
  <message>
   <source>Logon</source>
   <translation>Anmeldung</translation>
  </message>
  <message>
   <source>Logon I/O per VM</source>
   <translation>I/O der Anmeldungen je VM</translation>
  </message>
  <message>
   <source>Logon and logoff steps</source>
   <translation>Schritte der An- und Abmeldungen</translation>
  </message>
  <message>
   <source>Logon or logoff</source>
   <translation>An- oder Abmeldung</translation>
  </message>
  <message>
   <source>Logon started</source>
   <translation>Anmeldung begonnen</translation>
  </message>
  <message>
   <source>Logon time</source>
   <translation>Anmeldezeit</translation>
  </message>
  <message>
   <source>Logon times</source>
   <translation>Anmeldezeiten</translation>
  </message>
  <message>
   <source>Logon window</source>
   <translation>Zeitfenster für die Anmeldungen</translation>
  </message>
  <message>
   <source>Logons</source>
   <translation>Anmeldungen</translation>
  </message>
  <message>
   <source>Low</source>
   <translation>Niedrig</translation>
  </message>
  <message>
   <source>Lowest</source>
   <translation>Niedrigster</translation>
  </message>
  <message>
   <source>Lowest first</source>
   <translation>Niedrigste zuerst</translation>
  </message>
  <message>
   <source>Lowest responses excluded</source>
   <translation>Ausgeschlossene Tiefstwerte</translation>
  </message>
  <message>
   <source>Lowest responses used</source>
   <translation>Verwendete Tiefstwerte</translation>
  </message>
  <message>
   <source>MB (2²⁰ bytes)</source>
   <translation>MB (2²⁰ Byte)</translation>
  </message>
  <message>
   <source>MB, at least</source>
   <translation>MB, mindestens</translation>
  </message>
  <message>
   <source>MB, at the plateau</source>
   <translation>MB, am Plateau</translation>
  </message>
  <message>
   <source>MB, end</source>
   <translation>MB, am Ende</translation>
  </message>
  <message>
   <source>MB, peak</source>
   <translation>MB, Spitze</translation>
  </message>
  <message>
   <source>MB/VM, at least</source>
   <translation>MB/VM, mindestens</translation>
  </message>
  <message>
   <source>MB/s</source>
   <translation>MB/s</translation>
  </message>
  <message>
   <source>Machine</source>
   <translation>Maschine</translation>
  </message>
  <message>
   <source>Machines</source>
   <translation>Maschinen</translation>
  </message>
  <message>
   <source>Map columns</source>
   <translation>Spalten zuordnen</translation>
  </message>
  <message>
   <source>Map columns…</source>
   <translation>Spalten zuordnen…</translation>
  </message>
  <message>
   <source>Margin</source>
   <translation>Toleranz</translation>
  </message>
  <message>
   <source>Markdown (.md)</source>
   <translation>Markdown (.md)</translation>
  </message>
  <message>
   <source>Max</source>
   <translation>Max</translation>
  </message>
  <message>
   <source>Maximum disk space for imported data. The least recently used data is deleted first. Data used in the last 24 hours is kept.</source>
   <translation>Maximaler Speicherplatz für importierte Daten. Am längsten nicht verwendete Daten werden zuerst gelöscht. In den letzten 24 Stunden verwendete Daten bleiben erhalten.</translation>
  </message>
  <message>
   <source>Maximum vCPUs per core</source>
   <translation>Höchstzahl der vCPUs je Kern</translation>
  </message>
  <message>
   <source>Mean</source>
   <translation>Mittel</translation>
  </message>
  <message>
   <source>Mean IOPS per VM</source>
   <translation>Mittlere IOPS je VM</translation>
  </message>
  <message>
   <source>Mean latency</source>
   <translation>Mittlere Latenz</translation>
  </message>
  <message>
   <source>Meaning</source>
   <translation>Bedeutung</translation>
  </message>
  <message>
   <source>Meaning of '{}'</source>
   <translation>Bedeutung von „{}“</translation>
  </message>
  <message>
   <source>Measured</source>
   <translation>Gemessen</translation>
  </message>
  <message>
   <source>Measured at</source>
   <translation>Messort</translation>
  </message>
  <message>
   <source>Measured time</source>
   <translation>Gemessene Zeit</translation>
  </message>
  <message>
   <source>Measuring point of '{}'</source>
   <translation>Messort von „{}“</translation>
  </message>
  <message>
   <source>Memory channel speed</source>
   <translation>Geschwindigkeit eines RAM-Kanals</translation>
  </message>
  <message>
   <source>Memory type</source>
   <translation>RAM-Typ</translation>
  </message>
  <message>
   <source>Menu</source>
   <translation>Menü</translation>
  </message>
  <message>
   <source>Merge</source>
   <translation>Zusammenlegen</translation>
  </message>
  <message>
   <source>Method</source>
   <translation>Methode</translation>
  </message>
  <message>
   <source>Method and formulas</source>
   <translation>Methode und Formeln</translation>
  </message>
  <message>
   <source>Method and limitations</source>
   <translation>Methode und Einschränkungen</translation>
  </message>
  <message>
   <source>Metric</source>
   <translation>Messgröße</translation>
  </message>
  <message>
   <source>Metric type</source>
   <translation>Art der Messgröße</translation>
  </message>
  <message>
   <source>MiB (2²⁰ bytes)</source>
   <translation>MiB (2²⁰ Byte)</translation>
  </message>
  <message>
   <source>Min</source>
   <translation>Min</translation>
  </message>
  <message>
   <source>Missing</source>
   <translation>Fehlend</translation>
  </message>
  <message>
   <source>Missing cells</source>
   <translation>Fehlende Felder</translation>
  </message>
  <message>
   <source>Missing data</source>
   <translation>Fehlende Daten</translation>
  </message>
  <message>
   <source>Missing values are shown as dashes, empty cells, or gaps in charts, never as 0.</source>
   <translation>Fehlende Werte erscheinen als Strich, leere Zelle oder Lücke im Diagramm, nie als 0.</translation>
  </message>
  <message>
   <source>Missing values are shown as dashes, never as 0.</source>
   <translation>Fehlende Werte erscheinen als Strich, nie als 0.</translation>
  </message>
  <message>
   <source>Model</source>
   <translation>Modell</translation>
  </message>
  <message>
   <source>More</source>
   <translation>Weitere Werte</translation>
  </message>
  <message>
   <source>More configurations: Shift+wheel, Ctrl+Left and Ctrl+Right</source>
   <translation>Weitere Konfigurationen: Umschalt+Mausrad, Strg+Links und Strg+Rechts</translation>
  </message>
  <message>
   <source>More findings</source>
   <translation>Weitere Befunde</translation>
  </message>
  <message>
   <source>Move &amp;up</source>
   <translation>Nach &amp;oben</translation>
  </message>
  <message>
   <source>Move column left</source>
   <translation>Spalte nach links verschieben</translation>
  </message>
  <message>
   <source>Move column right</source>
   <translation>Spalte nach rechts verschieben</translation>
  </message>
  <message>
   <source>Move dow&amp;n</source>
   <translation>Nach &amp;unten</translation>
  </message>
  <message>
   <source>Move down	Alt+Down</source>
   <translation>Nach unten verschieben	Alt+↓</translation>
  </message>
  <message>
   <source>Move slide ear&amp;lier</source>
   <translation>Folie &amp;nach vorn verschieben</translation>
  </message>
  <message>
   <source>Move slide la&amp;ter</source>
   <translation>Folie nach h&amp;inten verschieben</translation>
  </message>
  <message>
   <source>Move the pointer</source>
   <translation>Mauszeiger bewegen</translation>
  </message>
  <message>
   <source>Move to/from append&amp;ix</source>
   <translation>In den/aus dem &amp;Anhang verschieben</translation>
  </message>
  <message>
   <source>Move up	Alt+Up</source>
   <translation>Nach oben verschieben	Alt+↑</translation>
  </message>
  <message>
   <source>Multiple of the raw disk's IOPS</source>
   <translation>Vielfaches der IOPS der Raw Disk</translation>
  </message>
  <message>
   <source>N</source>
   <translation>N</translation>
  </message>
  <message>
   <source>NFO</source>
   <translation>NFO</translation>
  </message>
  <message>
   <source>NSLD</source>
   <translation>NSLD</translation>
  </message>
  <message>
   <source>Name</source>
   <translation>Name</translation>
  </message>
  <message>
   <source>Names</source>
   <translation>Namen</translation>
  </message>
  <message>
   <source>Needs</source>
   <translation>Benötigt</translation>
  </message>
  <message>
   <source>Needs a decision</source>
   <translation>Entscheidung nötig</translation>
  </message>
  <message>
   <source>Needs a decision from you</source>
   <translation>Ihre Entscheidung ist nötig</translation>
  </message>
  <message>
   <source>Network and storage path</source>
   <translation>Netzwerk- und Storage-Pfad</translation>
  </message>
  <message>
   <source>Network port speed</source>
   <translation>Geschwindigkeit des Netzwerkports</translation>
  </message>
  <message>
   <source>Network port type</source>
   <translation>Typ des Netzwerkports</translation>
  </message>
  <message>
   <source>Network ports</source>
   <translation>Netzwerkports</translation>
  </message>
  <message>
   <source>Next</source>
   <translation>Als Nächstes</translation>
  </message>
  <message>
   <source>Next line (F8)</source>
   <translation>Nächste Zeile (F8)</translation>
  </message>
  <message>
   <source>Next steps</source>
   <translation>Nächste Schritte</translation>
  </message>
  <message>
   <source>Next:</source>
   <translation>Als Nächstes:</translation>
  </message>
  <message>
   <source>No I/O</source>
   <translation>Keine I/O</translation>
  </message>
  <message>
   <source>No cause matches the search. Change or clear the search.</source>
   <translation>Keine Ursache passt zur Suche. Ändern oder leeren Sie die Suche.</translation>
  </message>
  <message>
   <source>No configuration has a RAM cache, so no prediction is possible. Test a configuration with a RAM cache.</source>
   <translation>Keine Konfiguration hat einen RAM-Cache, daher ist keine Vorhersage möglich. Testen Sie eine Konfiguration mit RAM-Cache.</translation>
  </message>
  <message>
   <source>No configuration has a RAM cache. Test two or more cache sizes and a baseline without cache.</source>
   <translation>Keine Konfiguration hat einen RAM-Cache. Testen Sie mindestens zwei Cache-Größen und eine Basis ohne Cache.</translation>
  </message>
  <message>
   <source>No counters were imported from these runs. The import report shows each file's content.</source>
   <translation>Aus diesen Läufen wurden keine Zähler importiert. Der Importbericht zeigt den Inhalt jeder Datei.</translation>
  </message>
  <message>
   <source>No key file</source>
   <translation>Keine Schlüsseldatei</translation>
  </message>
  <message>
   <source>No known limitations.</source>
   <translation>Keine Einschränkungen bekannt.</translation>
  </message>
  <message>
   <source>No limits are set. Enter the agreed limits, or put a limits.toml into the folder of the study.</source>
   <translation>Es sind keine Grenzen festgelegt. Geben Sie die vereinbarten Grenzen ein, oder legen Sie eine limits.toml in den Ordner der Studie.</translation>
  </message>
  <message>
   <source>No load curve was measured. Add a benchmark at three or more load levels, such as vdbench with iorate=curve.</source>
   <translation>Keine Lastkurve gemessen. Fügen Sie einen Benchmark mit mindestens drei Laststufen hinzu, etwa vdbench mit iorate=curve.</translation>
  </message>
  <message>
   <source>No matching command. Try other words, or press Esc.</source>
   <translation>Kein Befehl passt. Geben Sie andere Wörter ein, oder drücken Sie Esc.</translation>
  </message>
  <message>
   <source>No overflow was found, so there is no IOPS dip to show.</source>
   <translation>Kein Überlauf gefunden, daher gibt es auch keinen Einbruch der IOPS.</translation>
  </message>
  <message>
   <source>No preference matches the search. Change or clear the search.</source>
   <translation>Keine Einstellung passt zur Suche. Ändern oder leeren Sie die Suche.</translation>
  </message>
  <message>
   <source>No primary metric is measured in two configurations. Log the same metric in both configurations.</source>
   <translation>Keine primäre Messgröße ist in zwei Konfigurationen gemessen. Zeichnen Sie in beiden Konfigurationen dieselbe Messgröße auf.</translation>
  </message>
  <message>
   <source>No recent results</source>
   <translation>Noch keine Ergebnisse geöffnet</translation>
  </message>
  <message>
   <source>No rows match the filter. Change or clear the filter.</source>
   <translation>Keine Zeile passt zum Filter. Ändern oder leeren Sie den Filter.</translation>
  </message>
  <message>
   <source>No run contains IOPS per VM during logon. Choose another phase or metric. The import report shows each file's content.</source>
   <translation>Kein Lauf hat IOPS je VM in der Phase Anmeldung. Wählen Sie eine andere Phase oder Messgröße. Der Importbericht zeigt, was jede Datei enthält.</translation>
  </message>
  <message>
   <source>No run has a phase, so there are no values: the files contain no VM I/O and no events. The import report shows what each file contains.</source>
   <translation>Kein Lauf hat eine Phase, daher gibt es keine Werte: Die Dateien enthalten weder I/O einer VM noch Ereignisse. Der Importbericht nennt die Art jeder Datei.</translation>
  </message>
  <message>
   <source>No run has a value of this metric. Open results of several builds, or choose another metric in the inputs.</source>
   <translation>Kein Lauf hat einen Wert der gewählten Messgröße. Öffnen Sie Ergebnisse mehrerer Builds, oder wählen Sie in den Eingaben eine andere Messgröße.</translation>
  </message>
  <message>
   <source>No run has data on IOPS per VM during logon. Choose another phase or metric.</source>
   <translation>Kein Lauf hat Daten zu IOPS je VM bei der Anmeldung. Wählen Sie eine andere Phase oder Messgröße.</translation>
  </message>
  <message>
   <source>No run is open. Open a result folder to save its runs.</source>
   <translation>Kein Lauf ist geöffnet. Öffnen Sie einen Ergebnisordner, um seine Läufe zu speichern.</translation>
  </message>
  <message>
   <source>No runs to check yet. Open a result folder first.</source>
   <translation>Noch keine Läufe zum Prüfen. Öffnen Sie zuerst einen Ergebnisordner.</translation>
  </message>
  <message>
   <source>No runs were found, only storage benchmarks. The Benchmarks page shows them.</source>
   <translation>Keine Läufe gefunden, nur Storage-Benchmarks. Die Seite Benchmarks zeigt diese Ergebnisse.</translation>
  </message>
  <message>
   <source>No runs were found, only time series without a date. The Timeline page shows them. The import report shows what each file contains.</source>
   <translation>Keine Läufe gefunden, nur Zeitreihen ohne Datum. Die Seite Zeitverlauf zeigt diese Zeitreihen. Der Importbericht nennt die Art jeder Datei.</translation>
  </message>
  <message>
   <source>No runs were found: no file contains samples or events. The import report names each file's format.</source>
   <translation>Keine Läufe gefunden: Keine Datei enthält Messwerte oder Ereignisse. Der Importbericht nennt das Format jeder Datei.</translation>
  </message>
  <message>
   <source>No study is open</source>
   <translation>Keine Studie geöffnet</translation>
  </message>
  <message>
   <source>No.</source>
   <translation>Nr.</translation>
  </message>
  <message>
   <source>None.</source>
   <translation>Keine.</translation>
  </message>
  <message>
   <source>Not answered</source>
   <translation>Nicht beantwortet</translation>
  </message>
  <message>
   <source>Not available (this is not 0)</source>
   <translation>Nicht verfügbar (bedeutet nicht 0)</translation>
  </message>
  <message>
   <source>Not compared</source>
   <translation>Nicht verglichen</translation>
  </message>
  <message>
   <source>Not imported</source>
   <translation>Nicht importiert</translation>
  </message>
  <message>
   <source>Note</source>
   <translation>Notiz</translation>
  </message>
  <message>
   <source>Note: nothing to do</source>
   <translation>Hinweis: nichts zu tun</translation>
  </message>
  <message>
   <source>Notes</source>
   <translation>Hinweise</translation>
  </message>
  <message>
   <source>Nothing to export yet. Open a result folder first.</source>
   <translation>Noch nichts zu exportieren. Öffnen Sie zuerst einen Ergebnisordner.</translation>
  </message>
  <message>
   <source>Now</source>
   <translation>Jetzt</translation>
  </message>
  <message>
   <source>Number of desktops whose load the storage test simulates</source>
   <translation>Zahl der Desktops, deren Last der Storage-Test nachbildet</translation>
  </message>
  <message>
   <source>Numbers</source>
   <translation>Zahlen</translation>
  </message>
  <message>
   <source>Numbers in the text change with the data.</source>
   <translation>Zahlen im Text ändern sich mit den Daten.</translation>
  </message>
  <message>
   <source>Omitted</source>
   <translation>Weggelassen</translation>
  </message>
  <message>
   <source>One run each</source>
   <translation>Je ein Lauf</translation>
  </message>
  <message>
   <source>One run per configuration gives only a difference. Two runs give a range.</source>
   <translation>Einzelne Läufe ergeben einen Unterschied ohne Intervall. Zwei Läufe ergeben eine Spanne.</translation>
  </message>
  <message>
   <source>One run per configuration: differences have no 95 % interval.</source>
   <translation>Ein Lauf je Konfiguration: Unterschiede haben kein 95-%-Intervall.</translation>
  </message>
  <message>
   <source>One workbook per study</source>
   <translation>Eine Arbeitsmappe je Studie</translation>
  </message>
  <message>
   <source>Open &amp;defect examples</source>
   <translation>Beispiel mit Män&amp;geln ansehen</translation>
  </message>
  <message>
   <source>Open &amp;files…</source>
   <translation>&amp;Dateien öffnen…</translation>
  </message>
  <message>
   <source>Open a result folder</source>
   <translation>Ergebnisordner öffnen</translation>
  </message>
  <message>
   <source>Open a result folder (Ctrl+O) or drop one here.</source>
   <translation>Öffnen Sie einen Ergebnisordner (Strg+O), oder ziehen Sie ihn hierher.</translation>
  </message>
  <message>
   <source>Open a result folder first.</source>
   <translation>Öffnen Sie zuerst einen Ergebnisordner.</translation>
  </message>
  <message>
   <source>Open again: {}</source>
   <translation>Wieder öffnen: {}</translation>
  </message>
  <message>
   <source>Open defect examples</source>
   <translation>Beispiel mit Mängeln ansehen</translation>
  </message>
  <message>
   <source>Open file…</source>
   <translation>Datei öffnen…</translation>
  </message>
  <message>
   <source>Open folder…</source>
   <translation>Ordner öffnen…</translation>
  </message>
  <message>
   <source>Open limits</source>
   <translation>Grenzen öffnen</translation>
  </message>
  <message>
   <source>Open result files</source>
   <translation>Ergebnisdateien öffnen</translation>
  </message>
  <message>
   <source>Open sa&amp;mple study</source>
   <translation>Be&amp;ispielstudie ansehen</translation>
  </message>
  <message>
   <source>Open sample study</source>
   <translation>Beispielstudie ansehen</translation>
  </message>
  <message>
   <source>Open the sample study</source>
   <translation>Beispielstudie öffnen</translation>
  </message>
  <message>
   <source>Open the sidebar</source>
   <translation>Seitenleiste öffnen</translation>
  </message>
  <message>
   <source>Opens results of virtual-desktop tests, divides them into boot, logon and steady state, and shows IOPS per VM and cache use side by side.</source>
   <translation>Öffnet Ergebnisse von Tests virtueller Desktops, teilt sie in Start, Anmeldung und Steady State und stellt IOPS je VM und Cache-Belegung nebeneinander dar.</translation>
  </message>
  <message>
   <source>Operation</source>
   <translation>Zugriffsart</translation>
  </message>
  <message>
   <source>Order of the runs</source>
   <translation>Reihenfolge der Läufe</translation>
  </message>
  <message>
   <source>Outcome</source>
   <translation>Ergebnis</translation>
  </message>
  <message>
   <source>Outcome reported by tool</source>
   <translation>Ergebnis laut Werkzeug</translation>
  </message>
  <message>
   <source>Outlined bar: I/O on the cache disk</source>
   <translation>Umrandeter Balken: I/O auf der Cache-Platte</translation>
  </message>
  <message>
   <source>Outstanding I/Os</source>
   <translation>Ausstehende I/Os</translation>
  </message>
  <message>
   <source>Over time</source>
   <translation>Im Zeitverlauf</translation>
  </message>
  <message>
   <source>Overflow</source>
   <translation>Überlauf</translation>
  </message>
  <message>
   <source>Overflow start</source>
   <translation>Beginn des Überlaufs</translation>
  </message>
  <message>
   <source>Overview</source>
   <translation>Überblick</translation>
  </message>
  <message>
   <source>Overview of the whole recording</source>
   <translation>Übersicht über die ganze Zeit</translation>
  </message>
  <message>
   <source>PCIe slot speed</source>
   <translation>Geschwindigkeit des PCIe-Steckplatzes</translation>
  </message>
  <message>
   <source>PCIe slot type</source>
   <translation>Typ des PCIe-Steckplatzes</translation>
  </message>
  <message>
   <source>Packet loss</source>
   <translation>Paketverlust</translation>
  </message>
  <message>
   <source>Pages</source>
   <translation>Seiten</translation>
  </message>
  <message>
   <source>Part</source>
   <translation>Teil</translation>
  </message>
  <message>
   <source>Pass: the whole interval meets the limit</source>
   <translation>Eingehalten: Das ganze Intervall hält die Grenze ein</translation>
  </message>
  <message>
   <source>Peak</source>
   <translation>Spitze</translation>
  </message>
  <message>
   <source>Peak IOPS</source>
   <translation>Spitzen-IOPS</translation>
  </message>
  <message>
   <source>Peak IOPS of a VM</source>
   <translation>Spitzen-IOPS einer VM</translation>
  </message>
  <message>
   <source>Peak cache disk use of a VM</source>
   <translation>Höchste Belegung der Cache-Platte einer VM</translation>
  </message>
  <message>
   <source>Peak overlap</source>
   <translation>Überlappung der Spitzen</translation>
  </message>
  <message>
   <source>Per VM</source>
   <translation>Je VM</translation>
  </message>
  <message>
   <source>Percentile of per-VM IOPS</source>
   <translation>Perzentil der IOPS je VM</translation>
  </message>
  <message>
   <source>Percentiles</source>
   <translation>Perzentile</translation>
  </message>
  <message>
   <source>Phase</source>
   <translation>Phase</translation>
  </message>
  <message>
   <source>Phase durations</source>
   <translation>Dauer der Phasen</translation>
  </message>
  <message>
   <source>Phase start</source>
   <translation>Beginn der Phase</translation>
  </message>
  <message>
   <source>Phase table</source>
   <translation>Phasentabelle</translation>
  </message>
  <message>
   <source>Phases</source>
   <translation>Phasen</translation>
  </message>
  <message>
   <source>Phases (time zone of the run: {})</source>
   <translation>Phasen (Uhr des Laufs, {})</translation>
  </message>
  <message>
   <source>Plan</source>
   <translation>Plan</translation>
  </message>
  <message>
   <source>Plan for</source>
   <translation>Plan für</translation>
  </message>
  <message>
   <source>Points</source>
   <translation>Punkte</translation>
  </message>
  <message>
   <source>Power per user</source>
   <translation>Leistungsaufnahme je Benutzer</translation>
  </message>
  <message>
   <source>PowerPoint slides (.pptx)</source>
   <translation>PowerPoint-Folien (.pptx)</translation>
  </message>
  <message>
   <source>Predictions by cache size</source>
   <translation>Vorhersagen nach Cache-Größe</translation>
  </message>
  <message>
   <source>Preferences</source>
   <translation>Einstellungen</translation>
  </message>
  <message>
   <source>Prepare a test</source>
   <translation>Test vorbereiten</translation>
  </message>
  <message>
   <source>Present</source>
   <translation>Präsentieren</translation>
  </message>
  <message>
   <source>Present  F5</source>
   <translation>Präsentieren  F5</translation>
  </message>
  <message>
   <source>Presentation</source>
   <translation>Präsentation</translation>
  </message>
  <message>
   <source>Previous line (Shift+F8)</source>
   <translation>Vorige Zeile (Umschalt+F8)</translation>
  </message>
  <message>
   <source>Primary metric, boot</source>
   <translation>Primäre Messgröße, Start</translation>
  </message>
  <message>
   <source>Primary metric, logon</source>
   <translation>Primäre Messgröße, Anmeldung</translation>
  </message>
  <message>
   <source>Primary metric, steady state</source>
   <translation>Primäre Messgröße, Steady State</translation>
  </message>
  <message>
   <source>Problems</source>
   <translation>Probleme</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>Fortschritt</translation>
  </message>
  <message>
   <source>Provisioning</source>
   <translation>Bereitstellung</translation>
  </message>
  <message>
   <source>QD</source>
   <translation>QD</translation>
  </message>
  <message>
   <source>Question</source>
   <translation>Frage</translation>
  </message>
  <message>
   <source>Questions for the test</source>
   <translation>Zu beantwortende Fragen</translation>
  </message>
  <message>
   <source>Questions that standard collector sets cannot answer</source>
   <translation>Fragen, die übliche Datensammlersätze nicht beantworten</translation>
  </message>
  <message>
   <source>Questions this study can answer</source>
   <translation>Beantwortbare Fragen</translation>
  </message>
  <message>
   <source>Queue</source>
   <translation>Warteschlange</translation>
  </message>
  <message>
   <source>Queue depth and threads</source>
   <translation>Warteschlangentiefe und Threads</translation>
  </message>
  <message>
   <source>Queue depth; ×: threads or job clones</source>
   <translation>Warteschlangentiefe; ×: Threads oder Klone eines Jobs</translation>
  </message>
  <message>
   <source>RAID level</source>
   <translation>RAID-Level</translation>
  </message>
  <message>
   <source>RAM</source>
   <translation>RAM</translation>
  </message>
  <message>
   <source>RAM cache</source>
   <translation>RAM-Cache</translation>
  </message>
  <message>
   <source>RAM cache per VM</source>
   <translation>RAM-Cache je VM</translation>
  </message>
  <message>
   <source>RAM for the cache</source>
   <translation>RAM für den Cache</translation>
  </message>
  <message>
   <source>RAM per VM</source>
   <translation>RAM je VM</translation>
  </message>
  <message>
   <source>RAM per host</source>
   <translation>RAM je Host</translation>
  </message>
  <message>
   <source>RAM price per GB</source>
   <translation>RAM-Preis je GB</translation>
  </message>
  <message>
   <source>RAM reserved for the host</source>
   <translation>RAM-Reserve für den Host</translation>
  </message>
  <message>
   <source>RAM used</source>
   <translation>Belegter RAM</translation>
  </message>
  <message>
   <source>Rank</source>
   <translation>Rang</translation>
  </message>
  <message>
   <source>Ratio to raw disk</source>
   <translation>Verhältnis zur Raw Disk</translation>
  </message>
  <message>
   <source>Raw disk</source>
   <translation>Raw Disk</translation>
  </message>
  <message>
   <source>Raw disk test</source>
   <translation>Raw-Disk-Test</translation>
  </message>
  <message>
   <source>Re&amp;move</source>
   <translation>Entfe&amp;rnen</translation>
  </message>
  <message>
   <source>Re&amp;move slide</source>
   <translation>Folie &amp;entfernen</translation>
  </message>
  <message>
   <source>Read</source>
   <translation>Lesen</translation>
  </message>
  <message>
   <source>Read IOPS</source>
   <translation>Lese-IOPS</translation>
  </message>
  <message>
   <source>Read IOPS per VM</source>
   <translation>Lese-IOPS je VM</translation>
  </message>
  <message>
   <source>Read latency</source>
   <translation>Leselatenz</translation>
  </message>
  <message>
   <source>Reader</source>
   <translation>Lesemodul</translation>
  </message>
  <message>
   <source>Reading results…</source>
   <translation>Ergebnisse werden gelesen…</translation>
  </message>
  <message>
   <source>Reason</source>
   <translation>Grund</translation>
  </message>
  <message>
   <source>Reason for exclusion</source>
   <translation>Grund des Ausschlusses</translation>
  </message>
  <message>
   <source>Recent</source>
   <translation>Zuletzt geöffnet</translation>
  </message>
  <message>
   <source>Recommendation</source>
   <translation>Empfehlung</translation>
  </message>
  <message>
   <source>Recommended:</source>
   <translation>Empfohlen:</translation>
  </message>
  <message>
   <source>Refres&amp;h</source>
   <translation>&amp;Aktualisieren</translation>
  </message>
  <message>
   <source>Refresh</source>
   <translation>Aktualisieren</translation>
  </message>
  <message>
   <source>Rejected</source>
   <translation>Verworfen</translation>
  </message>
  <message>
   <source>Reload</source>
   <translation>Neu laden</translation>
  </message>
  <message>
   <source>Reload files that have changed</source>
   <translation>Geänderte Dateien neu laden</translation>
  </message>
  <message>
   <source>Remaining writes</source>
   <translation>Verbleibende Schreibzugriffe</translation>
  </message>
  <message>
   <source>Remark</source>
   <translation>Anmerkung</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Remove	Del</source>
   <translation>Entfernen	Entf</translation>
  </message>
  <message>
   <source>Remove from timeline</source>
   <translation>Aus Zeitverlauf entfernen</translation>
  </message>
  <message>
   <source>Remove the selected counter</source>
   <translation>Den gewählten Zähler entfernen</translation>
  </message>
  <message>
   <source>Remove the selected counter (Del)</source>
   <translation>Den gewählten Zähler entfernen (Entf)</translation>
  </message>
  <message>
   <source>Remove this column</source>
   <translation>Diese Spalte entfernen</translation>
  </message>
  <message>
   <source>Rename configuration</source>
   <translation>Konfiguration umbenennen</translation>
  </message>
  <message>
   <source>Repeated runs</source>
   <translation>Wiederholte Läufe</translation>
  </message>
  <message>
   <source>Repeated tests</source>
   <translation>Wiederholte Tests</translation>
  </message>
  <message>
   <source>Repeats</source>
   <translation>Wiederholungen</translation>
  </message>
  <message>
   <source>Replace the names of users, machines, domains and paths</source>
   <translation>Namen von Benutzern, Maschinen, Domänen und Pfaden ersetzen</translation>
  </message>
  <message>
   <source>Report (.pdf)</source>
   <translation>Bericht (.pdf)</translation>
  </message>
  <message>
   <source>Required IOPS</source>
   <translation>Erforderliche IOPS</translation>
  </message>
  <message>
   <source>Reset</source>
   <translation>Zurücksetzen</translation>
  </message>
  <message>
   <source>Reset base&amp;line</source>
   <translation>Basis zu&amp;rücksetzen</translation>
  </message>
  <message>
   <source>Reset baseline</source>
   <translation>Basis zurücksetzen</translation>
  </message>
  <message>
   <source>Reset pha&amp;ses</source>
   <translation>Pha&amp;sen zurücksetzen</translation>
  </message>
  <message>
   <source>Reset zoom</source>
   <translation>Zoom zurücksetzen</translation>
  </message>
  <message>
   <source>Restarts</source>
   <translation>Neustarts</translation>
  </message>
  <message>
   <source>Restore &amp;default</source>
   <translation>&amp;Vorgabe wiederherstellen</translation>
  </message>
  <message>
   <source>Restore changes</source>
   <translation>Änderungen zurückholen</translation>
  </message>
  <message>
   <source>Restore default</source>
   <translation>Vorgabe wiederherstellen</translation>
  </message>
  <message>
   <source>Restore generated &amp;text</source>
   <translation>Erzeugten Text &amp;wiederherstellen</translation>
  </message>
  <message>
   <source>Restore generated text</source>
   <translation>Erzeugten Text wiederherstellen</translation>
  </message>
  <message>
   <source>Restore removed findings</source>
   <translation>Entfernte Befunde zurückholen</translation>
  </message>
  <message>
   <source>Restore the default counters</source>
   <translation>Vorgegebene Zähler wiederherstellen</translation>
  </message>
  <message>
   <source>Restore the defaults</source>
   <translation>Vorgaben wiederherstellen</translation>
  </message>
  <message>
   <source>Result</source>
   <translation>Ergebnis</translation>
  </message>
  <message>
   <source>Return</source>
   <translation>Eingabe</translation>
  </message>
  <message>
   <source>Return or double-click</source>
   <translation>Eingabe oder Doppelklick</translation>
  </message>
  <message>
   <source>Review</source>
   <translation>Besprechung</translation>
  </message>
  <message>
   <source>Right-click</source>
   <translation>Rechtsklick</translation>
  </message>
  <message>
   <source>Right-click a column header</source>
   <translation>Rechtsklick auf einen Spaltenkopf</translation>
  </message>
  <message>
   <source>Right-click; or Return on the highlighted VM</source>
   <translation>Rechtsklick; oder Eingabe auf der hervorgehobenen VM</translation>
  </message>
  <message>
   <source>Right: share of I/Os per latency range</source>
   <translation>Rechts: Anteil der I/Os je Latenzbereich</translation>
  </message>
  <message>
   <source>Right: share of samples up to a value</source>
   <translation>Rechts: Anteil der Messwerte bis zu einem Wert</translation>
  </message>
  <message>
   <source>Round</source>
   <translation>Runde</translation>
  </message>
  <message>
   <source>Round-trip time</source>
   <translation>Roundtrip-Zeit</translation>
  </message>
  <message>
   <source>Round-trip time (Azure)</source>
   <translation>Roundtrip-Zeit (Azure)</translation>
  </message>
  <message>
   <source>Round-trip time (UDP)</source>
   <translation>Roundtrip-Zeit (UDP)</translation>
  </message>
  <message>
   <source>Rounded</source>
   <translation>Gerundet</translation>
  </message>
  <message>
   <source>Row: one VM. Darker: higher value</source>
   <translation>Zeile: eine VM. Dunkler: höherer Wert</translation>
  </message>
  <message>
   <source>Rows</source>
   <translation>Zeilen</translation>
  </message>
  <message>
   <source>Run</source>
   <translation>Lauf</translation>
  </message>
  <message>
   <source>Run start</source>
   <translation>Beginn des Laufs</translation>
  </message>
  <message>
   <source>Run tree</source>
   <translation>Baum der Läufe</translation>
  </message>
  <message>
   <source>Runs</source>
   <translation>Läufe</translation>
  </message>
  <message>
   <source>Runs after splitting the folder</source>
   <translation>Läufe nach der Aufteilung des Ordners</translation>
  </message>
  <message>
   <source>Runs needed</source>
   <translation>Benötigte Läufe</translation>
  </message>
  <message>
   <source>S&amp;how evidence</source>
   <translation>Be&amp;leg anzeigen</translation>
  </message>
  <message>
   <source>Sa&amp;ve as…</source>
   <translation>Speichern &amp;unter…</translation>
  </message>
  <message>
   <source>Sample runs with one defect each, to show how problems are reported</source>
   <translation>Beispielläufe mit je einem Mangel zeigen, wie Probleme gemeldet werden</translation>
  </message>
  <message>
   <source>Samples</source>
   <translation>Messwerte</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <source>Save &amp;bundle…</source>
   <translation>Bü&amp;ndel speichern…</translation>
  </message>
  <message>
   <source>Save &amp;view…</source>
   <translation>&amp;Ansicht speichern…</translation>
  </message>
  <message>
   <source>Save as CSV…</source>
   <translation>Als CSV speichern…</translation>
  </message>
  <message>
   <source>Save as…</source>
   <translation>Speichern unter…</translation>
  </message>
  <message>
   <source>Save bundle</source>
   <translation>Bündel speichern</translation>
  </message>
  <message>
   <source>Save limits</source>
   <translation>Grenzen speichern</translation>
  </message>
  <message>
   <source>Save the changes? Otherwise they are lost.</source>
   <translation>Änderungen speichern? Sonst gehen sie verloren.</translation>
  </message>
  <message>
   <source>Save view</source>
   <translation>Ansicht speichern</translation>
  </message>
  <message>
   <source>Save view…</source>
   <translation>Ansicht speichern…</translation>
  </message>
  <message>
   <source>Saved 1 run of {}</source>
   <translation>Gespeichert: 1 Lauf von {}</translation>
  </message>
  <message>
   <source>Saved view</source>
   <translation>Gespeicherte Ansicht</translation>
  </message>
  <message>
   <source>Saved views</source>
   <translation>Gespeicherte Ansichten</translation>
  </message>
  <message>
   <source>Saved {} runs of {}</source>
   <translation>Gespeichert: {} Läufe von {}</translation>
  </message>
  <message>
   <source>Saving to {}…</source>
   <translation>Wird gespeichert in {}…</translation>
  </message>
  <message>
   <source>Scale</source>
   <translation>Skala</translation>
  </message>
  <message>
   <source>Search</source>
   <translation>Suchen</translation>
  </message>
  <message>
   <source>Search causes</source>
   <translation>Ursachen durchsuchen</translation>
  </message>
  <message>
   <source>Search commands</source>
   <translation>Befehle durchsuchen</translation>
  </message>
  <message>
   <source>Search counters</source>
   <translation>Zähler durchsuchen</translation>
  </message>
  <message>
   <source>Search hosts, objects or counters…</source>
   <translation>Hosts, Objekte oder Zähler suchen…</translation>
  </message>
  <message>
   <source>Search or run a command</source>
   <translation>Befehl suchen oder ausführen</translation>
  </message>
  <message>
   <source>Search preferences</source>
   <translation>Einstellungen durchsuchen</translation>
  </message>
  <message>
   <source>Seconds between samples</source>
   <translation>Messintervall, s</translation>
  </message>
  <message>
   <source>Seconds between samples (default: depends on the questions)</source>
   <translation>Messintervall in Sekunden (Vorgabe: je nach Fragen)</translation>
  </message>
  <message>
   <source>Separate axes</source>
   <translation>Getrennte Achsen</translation>
  </message>
  <message>
   <source>Separate these runs</source>
   <translation>Diese Läufe trennen</translation>
  </message>
  <message>
   <source>Session</source>
   <translation>Sitzung</translation>
  </message>
  <message>
   <source>Sessions</source>
   <translation>Sitzungen</translation>
  </message>
  <message>
   <source>Set as &amp;baseline</source>
   <translation>Als &amp;Basis festlegen</translation>
  </message>
  <message>
   <source>Set as baseline</source>
   <translation>Als Basis festlegen</translation>
  </message>
  <message>
   <source>Set the meaning of each counter in the last rows of the table.</source>
   <translation>Legen Sie die Bedeutung jedes Zählers in den letzten Zeilen der Tabelle fest.</translation>
  </message>
  <message>
   <source>Set time zone…</source>
   <translation>Zeitzone festlegen…</translation>
  </message>
  <message>
   <source>Severity</source>
   <translation>Schweregrad</translation>
  </message>
  <message>
   <source>Shaded: after the overflow</source>
   <translation>Schattiert: nach dem Überlauf</translation>
  </message>
  <message>
   <source>Shaded: beyond the knee, IOPS barely rise</source>
   <translation>Schattiert: oberhalb des Knicks steigen die IOPS kaum noch</translation>
  </message>
  <message>
   <source>Shaded: beyond the knee, latency rises faster</source>
   <translation>Schattiert: oberhalb des Knicks steigt die Latenz schneller</translation>
  </message>
  <message>
   <source>Shaded: no overflow in any measured VM</source>
   <translation>Schattiert: kein Überlauf bei den gemessenen VMs</translation>
  </message>
  <message>
   <source>Shaded: the phase</source>
   <translation>Schattiert: die Phase</translation>
  </message>
  <message>
   <source>Shaded: the phases</source>
   <translation>Schattiert: die Phasen</translation>
  </message>
  <message>
   <source>Shaded: the phases of the first run</source>
   <translation>Schattiert: Phasen des ersten Laufs</translation>
  </message>
  <message>
   <source>Share</source>
   <translation>Anteil</translation>
  </message>
  <message>
   <source>Share of reads</source>
   <translation>Leseanteil</translation>
  </message>
  <message>
   <source>Share of reads at peak load</source>
   <translation>Leseanteil bei Spitzenlast</translation>
  </message>
  <message>
   <source>Share of reads during boot</source>
   <translation>Leseanteil beim Start</translation>
  </message>
  <message>
   <source>Share of reads during logon</source>
   <translation>Leseanteil bei der Anmeldung</translation>
  </message>
  <message>
   <source>Shared storage</source>
   <translation>Shared Storage</translation>
  </message>
  <message>
   <source>Shift+drag</source>
   <translation>Umschalt+Ziehen</translation>
  </message>
  <message>
   <source>Shift+wheel; or wheel over the axis</source>
   <translation>Umschalt+Mausrad; oder Mausrad über der Achse</translation>
  </message>
  <message>
   <source>Show</source>
   <translation>Anzeigen</translation>
  </message>
  <message>
   <source>Show all</source>
   <translation>Alle anzeigen</translation>
  </message>
  <message>
   <source>Show all configurations</source>
   <translation>Alle Konfigurationen anzeigen</translation>
  </message>
  <message>
   <source>Show all files</source>
   <translation>Alle Dateien anzeigen</translation>
  </message>
  <message>
   <source>Show c&amp;hanges…</source>
   <translation>Änderun&amp;gen anzeigen…</translation>
  </message>
  <message>
   <source>Show difference and interval in a bracket</source>
   <translation>Klammer mit Unterschied und Intervall</translation>
  </message>
  <message>
   <source>Show everything</source>
   <translation>Alles anzeigen</translation>
  </message>
  <message>
   <source>Show everything (0, or double-click a chart)</source>
   <translation>Alles anzeigen (0 oder Doppelklick auf ein Diagramm)</translation>
  </message>
  <message>
   <source>Show file</source>
   <translation>Datei anzeigen</translation>
  </message>
  <message>
   <source>Show in appendix</source>
   <translation>Im Anhang zeigen</translation>
  </message>
  <message>
   <source>Show less</source>
   <translation>Weniger anzeigen</translation>
  </message>
  <message>
   <source>Show line</source>
   <translation>Zeile anzeigen</translation>
  </message>
  <message>
   <source>Show more</source>
   <translation>Mehr anzeigen</translation>
  </message>
  <message>
   <source>Show past runs only</source>
   <translation>Nur frühere Läufe anzeigen</translation>
  </message>
  <message>
   <source>Show per-minute change</source>
   <translation>Änderung je Minute darstellen</translation>
  </message>
  <message>
   <source>Show sour&amp;ce</source>
   <translation>&amp;Quelle anzeigen</translation>
  </message>
  <message>
   <source>Show source</source>
   <translation>Quelle anzeigen</translation>
  </message>
  <message>
   <source>Show sum</source>
   <translation>Summe darstellen</translation>
  </message>
  <message>
   <source>Show these columns</source>
   <translation>Diese Spalten anzeigen</translation>
  </message>
  <message>
   <source>Show this study</source>
   <translation>Diese Studie ansehen</translation>
  </message>
  <message>
   <source>Show timeline</source>
   <translation>Zeitverlauf anzeigen</translation>
  </message>
  <message>
   <source>Shows</source>
   <translation>Zeigt</translation>
  </message>
  <message>
   <source>Side by side</source>
   <translation>Gegenüberstellung</translation>
  </message>
  <message>
   <source>Simultaneous starts</source>
   <translation>Gleichzeitige Starts</translation>
  </message>
  <message>
   <source>Size</source>
   <translation>Größe</translation>
  </message>
  <message>
   <source>Size of text in the window and in charts. Presentations use larger text.</source>
   <translation>Schriftgröße im Fenster und in Diagrammen. Präsentationen verwenden eine größere Schrift.</translation>
  </message>
  <message>
   <source>Sizing</source>
   <translation>Auslegung</translation>
  </message>
  <message>
   <source>Slice</source>
   <translation>Teil</translation>
  </message>
  <message>
   <source>Slices</source>
   <translation>Teile eines Laufs</translation>
  </message>
  <message>
   <source>Slide</source>
   <translation>Folie</translation>
  </message>
  <message>
   <source>Slide removed. Undo: Ctrl+Z.</source>
   <translation>Folie entfernt. Rückgängig: Strg+Z.</translation>
  </message>
  <message>
   <source>Slides</source>
   <translation>Folien</translation>
  </message>
  <message>
   <source>Slides in the order they are shown</source>
   <translation>Folien in der Reihenfolge der Präsentation</translation>
  </message>
  <message>
   <source>Smallest change that matters to you. The Compare page rates smaller changes as 'same'. New studies start with this margin.</source>
   <translation>Kleinste Änderung, die für Sie relevant ist. Die Seite Vergleich bewertet kleinere Änderungen als „gleich“. Neue Studien beginnen mit dieser Toleranz.</translation>
  </message>
  <message>
   <source>Solid bar: I/O on shared storage</source>
   <translation>Gefüllter Balken: I/O auf dem Shared Storage</translation>
  </message>
  <message>
   <source>Solid: active sessions</source>
   <translation>Durchgezogen: aktive Sitzungen</translation>
  </message>
  <message>
   <source>Some studies were not saved. Try again.</source>
   <translation>Einige Studien wurden nicht gespeichert. Versuchen Sie es erneut.</translation>
  </message>
  <message>
   <source>Some studies were not saved: {}. Choose another folder.</source>
   <translation>Einige Studien wurden nicht gespeichert: {}. Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>Sort ascending</source>
   <translation>Aufsteigend sortieren</translation>
  </message>
  <message>
   <source>Sort by</source>
   <translation>Sortieren nach</translation>
  </message>
  <message>
   <source>Sort descending</source>
   <translation>Absteigend sortieren</translation>
  </message>
  <message>
   <source>Source</source>
   <translation>Quelle</translation>
  </message>
  <message>
   <source>Source line</source>
   <translation>Quellzeile</translation>
  </message>
  <message>
   <source>Source of phase</source>
   <translation>Quelle der Phase</translation>
  </message>
  <message>
   <source>Source of the tier</source>
   <translation>Quelle der Speicherebene</translation>
  </message>
  <message>
   <source>Sources</source>
   <translation>Quellen</translation>
  </message>
  <message>
   <source>Spare hosts</source>
   <translation>Reservehosts</translation>
  </message>
  <message>
   <source>Spare ports</source>
   <translation>Reserveports</translation>
  </message>
  <message>
   <source>Speaker notes</source>
   <translation>Vortragsnotizen</translation>
  </message>
  <message>
   <source>Split</source>
   <translation>Aufteilen</translation>
  </message>
  <message>
   <source>Split a mixed folder into runs, or make each ticked run a configuration</source>
   <translation>Einen gemischten Ordner in Läufe aufteilen oder aus jedem angehakten Lauf eine Konfiguration machen</translation>
  </message>
  <message>
   <source>Split into runs</source>
   <translation>In Läufe aufteilen</translation>
  </message>
  <message>
   <source>Split into runs…</source>
   <translation>In Läufe aufteilen…</translation>
  </message>
  <message>
   <source>Split {} folders</source>
   <translation>{} Ordner aufteilen</translation>
  </message>
  <message>
   <source>Start – end</source>
   <translation>Beginn – Ende</translation>
  </message>
  <message>
   <source>Starts</source>
   <translation>Starts</translation>
  </message>
  <message>
   <source>Steady state</source>
   <translation>Steady State</translation>
  </message>
  <message>
   <source>Step</source>
   <translation>Schritt</translation>
  </message>
  <message>
   <source>Steps</source>
   <translation>Schritte</translation>
  </message>
  <message>
   <source>Storage</source>
   <translation>Speicherplatz</translation>
  </message>
  <message>
   <source>Storms included</source>
   <translation>Einbezogene Storms</translation>
  </message>
  <message>
   <source>Storyboard</source>
   <translation>Storyboard</translation>
  </message>
  <message>
   <source>Strength</source>
   <translation>Aussagekraft</translation>
  </message>
  <message>
   <source>Strength of evidence</source>
   <translation>Aussagekraft</translation>
  </message>
  <message>
   <source>Stuck</source>
   <translation>Hängend</translation>
  </message>
  <message>
   <source>Studies</source>
   <translation>Studien</translation>
  </message>
  <message>
   <source>Studies, configurations, runs and VMs</source>
   <translation>Studien, Konfigurationen, Läufe und VMs</translation>
  </message>
  <message>
   <source>Study</source>
   <translation>Studie</translation>
  </message>
  <message>
   <source>Subtract first counter</source>
   <translation>Ersten Zähler abziehen</translation>
  </message>
  <message>
   <source>Subtract second counter</source>
   <translation>Zweiten Zähler abziehen</translation>
  </message>
  <message>
   <source>Summary</source>
   <translation>Zusammenfassung</translation>
  </message>
  <message>
   <source>Swap day and month</source>
   <translation>Tag und Monat tauschen</translation>
  </message>
  <message>
   <source>Sweep</source>
   <translation>Messreihe</translation>
  </message>
  <message>
   <source>Tab</source>
   <translation>Tab</translation>
  </message>
  <message>
   <source>Table (.csv)</source>
   <translation>Tabelle (.csv)</translation>
  </message>
  <message>
   <source>Tables</source>
   <translation>Tabellen</translation>
  </message>
  <message>
   <source>Template</source>
   <translation>Vorlage</translation>
  </message>
  <message>
   <source>Test</source>
   <translation>Test</translation>
  </message>
  <message>
   <source>Test kit created in {}. Start with README.txt.</source>
   <translation>Testpaket in {} erstellt. Beginnen Sie mit README.txt.</translation>
  </message>
  <message>
   <source>Tested VMs</source>
   <translation>Getestete VMs</translation>
  </message>
  <message>
   <source>Tested size</source>
   <translation>Getestete Größe</translation>
  </message>
  <message>
   <source>Tested sizes</source>
   <translation>Getestete Größen</translation>
  </message>
  <message>
   <source>Text fields</source>
   <translation>Textfelder</translation>
  </message>
  <message>
   <source>Text of the file</source>
   <translation>Text der Datei</translation>
  </message>
  <message>
   <source>Text of the finding. Leave the field empty to restore the generated text:</source>
   <translation>Text des Befunds. Leer lassen, um den erzeugten Text wiederherzustellen:</translation>
  </message>
  <message>
   <source>Text of the note</source>
   <translation>Text der Notiz</translation>
  </message>
  <message>
   <source>Text of {}</source>
   <translation>Text von {}</translation>
  </message>
  <message>
   <source>Text size</source>
   <translation>Schriftgröße</translation>
  </message>
  <message>
   <source>The I/O of each VM is summed over a phase. IOPS are this sum divided by the duration of the phase.</source>
   <translation>Die I/O jeder VM wird über eine Phase summiert. IOPS sind diese Summe geteilt durch die Dauer der Phase.</translation>
  </message>
  <message>
   <source>The arrow keys skip the appendix. Type a slide number to show it.</source>
   <translation>Die Pfeiltasten überspringen den Anhang. Geben Sie eine Foliennummer ein, um ihn zu zeigen.</translation>
  </message>
  <message>
   <source>The chart highlights the finding. Press Esc to remove the highlight.</source>
   <translation>Das Diagramm hebt den Befund hervor. Esc entfernt die Hervorhebung.</translation>
  </message>
  <message>
   <source>The columns {} have the same meaning, '{}'. Keep it for only one.</source>
   <translation>Die Spalten {} haben beide die Bedeutung „{}“. Behalten Sie die Bedeutung nur für eine Spalte.</translation>
  </message>
  <message>
   <source>The folder stores one small file per study: configuration, build, date and metrics of each run, without samples. The Trend page shows these runs together with the open runs. The folder can be on a share.</source>
   <translation>Der Ordner enthält je Studie eine kleine Datei mit Konfiguration, Build, Datum und Messgrößen jedes Laufs, ohne Messwerte. Die Seite Trend zeigt diese Läufe zusammen mit den geöffneten. Der Ordner kann auf einer Freigabe liegen.</translation>
  </message>
  <message>
   <source>The limits were not saved in {}: {}. Choose another folder.</source>
   <translation>Die Grenzen wurden nicht in {} gespeichert: {}. Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>The most important metric of this phase. Choose it before you see results. Only findings about primary metrics can be strong. [primary] in the run.toml of the baseline overrides this setting.</source>
   <translation>Messgröße, die in dieser Phase am wichtigsten ist. Wählen Sie die Messgröße, bevor Sie Ergebnisse sehen. Nur eine primäre Messgröße kann starke Befunde ergeben. [primary] in der run.toml der Basis hat Vorrang.</translation>
  </message>
  <message>
   <source>The runs took place {} years apart. Check their dates.</source>
   <translation>Zwischen den Läufen liegen {} Jahre. Prüfen Sie ihr Datum.</translation>
  </message>
  <message>
   <source>The smallest change that the runs must detect</source>
   <translation>Kleinste Änderung, die die Läufe nachweisen müssen</translation>
  </message>
  <message>
   <source>The storage tools reported these values.</source>
   <translation>Die Benchmark-Werkzeuge haben diese Werte gemeldet.</translation>
  </message>
  <message>
   <source>The storyboard has no slides yet. Open results that have findings, or save a view.</source>
   <translation>Das Storyboard hat noch keine Folien. Öffnen Sie Ergebnisse mit Befunden, oder speichern Sie eine Ansicht.</translation>
  </message>
  <message>
   <source>The test kit was not created. Try again.</source>
   <translation>Das Testpaket wurde nicht erstellt. Versuchen Sie es erneut.</translation>
  </message>
  <message>
   <source>The test kit was not created: {}. Choose another folder.</source>
   <translation>Das Testpaket wurde nicht erstellt: {}. Wählen Sie einen anderen Ordner.</translation>
  </message>
  <message>
   <source>The value of a configuration is the mean of its runs.</source>
   <translation>Der Wert einer Konfiguration ist das Mittel ihrer Läufe.</translation>
  </message>
  <message>
   <source>The value of a configuration is the mean of its runs. VMs from different runs are never pooled.</source>
   <translation>Der Wert einer Konfiguration ist das Mittel ihrer Läufe. VMs mehrerer Läufe werden nie zusammengefasst.</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>Farbschema</translation>
  </message>
  <message>
   <source>Then</source>
   <translation>Damals</translation>
  </message>
  <message>
   <source>There are no VSImax or EUX data. Add the results of Login VSI or Login Enterprise to the run folder.</source>
   <translation>Es gibt keine Daten zu VSImax oder EUX. Fügen Sie die Ergebnisse von Login VSI oder Login Enterprise dem Ordner des Laufs hinzu.</translation>
  </message>
  <message>
   <source>There are unsaved changes in {}.</source>
   <translation>Es gibt nicht gespeicherte Änderungen in {}.</translation>
  </message>
  <message>
   <source>There is no earlier page.</source>
   <translation>Es gibt keine frühere Seite.</translation>
  </message>
  <message>
   <source>There is only one configuration. Open more results, or show a hidden configuration in the tree.</source>
   <translation>Es gibt nur eine Konfiguration. Öffnen Sie Ergebnisse einer weiteren Konfiguration, oder blenden Sie im Baum eine ausgeblendete Konfiguration ein.</translation>
  </message>
  <message>
   <source>These runs cannot be compared yet</source>
   <translation>Diese Läufe lassen sich noch nicht vergleichen</translation>
  </message>
  <message>
   <source>These values apply to all selected runs: {}.</source>
   <translation>Diese Werte gelten für alle gewählten Läufe: {}.</translation>
  </message>
  <message>
   <source>Thin: one VM. Thick: median of the VMs</source>
   <translation>Dünne Linie: eine VM. Dicke Linie: Median der VMs</translation>
  </message>
  <message>
   <source>This cell needs a value.</source>
   <translation>Dieses Feld braucht einen Wert.</translation>
  </message>
  <message>
   <source>This folder only</source>
   <translation>Nur dieser Ordner</translation>
  </message>
  <message>
   <source>This is already the default storyboard.</source>
   <translation>Das ist bereits das vorgegebene Storyboard.</translation>
  </message>
  <message>
   <source>This is the last slide.</source>
   <translation>Das ist die letzte Folie.</translation>
  </message>
  <message>
   <source>This page</source>
   <translation>Diese Seite</translation>
  </message>
  <message>
   <source>This run only</source>
   <translation>Nur dieser Lauf</translation>
  </message>
  <message>
   <source>This table has no rows.</source>
   <translation>Diese Tabelle hat keine Zeilen.</translation>
  </message>
  <message>
   <source>Threads</source>
   <translation>Threads</translation>
  </message>
  <message>
   <source>Three or more runs give a 95 % interval. Two runs give a range. One run gives neither.</source>
   <translation>Drei oder mehr Läufe ergeben ein 95-%-Intervall. Zwei Läufe ergeben eine Spanne. Ein Lauf ergibt weder Intervall noch Spanne.</translation>
  </message>
  <message>
   <source>Three or more runs give a ratio with a 95 % interval (Welch's method on logarithms). Five or more runs also allow an exact permutation test (Holm-corrected).</source>
   <translation>Drei oder mehr Läufe ergeben ein Verhältnis mit 95-%-Welch-Intervall, das auf Logarithmen berechnet wird. Fünf oder mehr Läufe ergeben zusätzlich einen exakten Permutationstest mit Holm-Korrektur.</translation>
  </message>
  <message>
   <source>Threshold</source>
   <translation>Schwelle</translation>
  </message>
  <message>
   <source>Throughput</source>
   <translation>Durchsatz</translation>
  </message>
  <message>
   <source>Tick at least one question.</source>
   <translation>Haken Sie mindestens eine Frage an.</translation>
  </message>
  <message>
   <source>Tier</source>
   <translation>Ebene</translation>
  </message>
  <message>
   <source>Tier of '{}'</source>
   <translation>Ebene von „{}“</translation>
  </message>
  <message>
   <source>Time column</source>
   <translation>Zeitspalte</translation>
  </message>
  <message>
   <source>Time format</source>
   <translation>Zeitformat</translation>
  </message>
  <message>
   <source>Time zone</source>
   <translation>Zeitzone</translation>
  </message>
  <message>
   <source>Time zone…</source>
   <translation>Zeitzone…</translation>
  </message>
  <message>
   <source>Timeline</source>
   <translation>Zeitverlauf</translation>
  </message>
  <message>
   <source>Times in another time zone</source>
   <translation>Zeiten in einer anderen Zeitzone</translation>
  </message>
  <message>
   <source>To save: {}</source>
   <translation>Zu speichern: {}</translation>
  </message>
  <message>
   <source>Toggle &amp;dark theme</source>
   <translation>&amp;Hell/dunkel umschalten</translation>
  </message>
  <message>
   <source>Toggle side&amp;bar</source>
   <translation>Seitenl&amp;eiste ein-/ausblenden</translation>
  </message>
  <message>
   <source>Tool</source>
   <translation>Werkzeug</translation>
  </message>
  <message>
   <source>Tools</source>
   <translation>Werkzeuge</translation>
  </message>
  <message>
   <source>Total I/O</source>
   <translation>Zahl der I/Os</translation>
  </message>
  <message>
   <source>Total I/O is the sum of samples × seconds over all measured VMs. IOPS are total I/O ÷ phase duration.</source>
   <translation>Die Zahl der I/Os ist die Summe aus Messwert × Sekunden über alle gemessenen VMs. IOPS sind die Zahl der I/Os ÷ Dauer der Phase.</translation>
  </message>
  <message>
   <source>Total I/O per VM</source>
   <translation>Zahl der I/Os je VM</translation>
  </message>
  <message>
   <source>Total I/O per VM, boot</source>
   <translation>Zahl der I/Os je VM, Start</translation>
  </message>
  <message>
   <source>Total I/O per VM, logon</source>
   <translation>Zahl der I/Os je VM, Anmeldung</translation>
  </message>
  <message>
   <source>Total IOPS</source>
   <translation>IOPS insgesamt</translation>
  </message>
  <message>
   <source>Treat as VMs</source>
   <translation>Als VMs behandeln</translation>
  </message>
  <message>
   <source>Tree menu</source>
   <translation>Menü des Baums</translation>
  </message>
  <message>
   <source>Trend</source>
   <translation>Trend</translation>
  </message>
  <message>
   <source>Type</source>
   <translation>Art</translation>
  </message>
  <message>
   <source>Type a command, page, phase or VM…</source>
   <translation>Befehl, Seite, Phase oder VM eingeben…</translation>
  </message>
  <message>
   <source>Type of interval</source>
   <translation>Art des Intervalls</translation>
  </message>
  <message>
   <source>Type of latency</source>
   <translation>Art der Latenz</translation>
  </message>
  <message>
   <source>Type of test</source>
   <translation>Art der Tests</translation>
  </message>
  <message>
   <source>UTC offset</source>
   <translation>UTC-Versatz</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>Rückgängig</translation>
  </message>
  <message>
   <source>Undo folder split</source>
   <translation>Ordneraufteilung aufheben</translation>
  </message>
  <message>
   <source>Unit</source>
   <translation>Einheit</translation>
  </message>
  <message>
   <source>Unit name for cache sizes on screen. The numbers do not change, because both names mean 2²⁰ bytes. In benchmarks, MB/s always means 10⁶ bytes per second.</source>
   <translation>Name der Einheit von Cache-Größen am Bildschirm. Die Zahlen ändern sich nicht, weil beide Namen 2²⁰ Byte bedeuten. In Benchmarks bedeutet MB/s immer 10⁶ Byte pro Sekunde.</translation>
  </message>
  <message>
   <source>Unit of '{}'</source>
   <translation>Einheit von „{}“</translation>
  </message>
  <message>
   <source>Unit of cache sizes</source>
   <translation>Einheit der Cache-Größen</translation>
  </message>
  <message>
   <source>Unsaved work</source>
   <translation>Nicht gespeicherte Änderungen</translation>
  </message>
  <message>
   <source>Usable share of a link</source>
   <translation>Nutzbarer Anteil einer Verbindung</translation>
  </message>
  <message>
   <source>Use in results</source>
   <translation>In Ergebnissen verwenden</translation>
  </message>
  <message>
   <source>Use separate chart</source>
   <translation>Eigenes Diagramm verwenden</translation>
  </message>
  <message>
   <source>Use values from files</source>
   <translation>Werte aus den Dateien</translation>
  </message>
  <message>
   <source>Used on</source>
   <translation>Verwendet auf</translation>
  </message>
  <message>
   <source>User</source>
   <translation>Benutzer</translation>
  </message>
  <message>
   <source>Users</source>
   <translation>Benutzer</translation>
  </message>
  <message>
   <source>Users per session host</source>
   <translation>Benutzer je Sitzungshost</translation>
  </message>
  <message>
   <source>VDI Workbench: MIT License.
Typeface Inter: SIL Open Font License 1.1.
uPlot, in report pages: MIT License.
Qt and PySide6: GNU LGPL 3.0; you may replace their libraries in the VDI Workbench folder.</source>
   <translation>VDI Workbench: MIT-Lizenz.
Schrift Inter: SIL Open Font License 1.1.
uPlot, in Berichtsseiten: MIT-Lizenz.
Qt und PySide6: GNU LGPL 3.0; ihre Bibliotheken im Ordner des Programms dürfen ersetzt werden.</translation>
  </message>
  <message>
   <source>VM</source>
   <translation>VM</translation>
  </message>
  <message>
   <source>VM or LUN</source>
   <translation>VM oder LUN</translation>
  </message>
  <message>
   <source>VM or LUN name</source>
   <translation>Name der VM oder LUN</translation>
  </message>
  <message>
   <source>VM or LUN of '{}'</source>
   <translation>VM oder LUN von „{}“</translation>
  </message>
  <message>
   <source>VM or session</source>
   <translation>VM oder Sitzung</translation>
  </message>
  <message>
   <source>VMs</source>
   <translation>VMs</translation>
  </message>
  <message>
   <source>VMs to plan for</source>
   <translation>Zu planende VMs</translation>
  </message>
  <message>
   <source>VSImax</source>
   <translation>VSImax</translation>
  </message>
  <message>
   <source>VSImax / EUX</source>
   <translation>VSImax / EUX</translation>
  </message>
  <message>
   <source>VSImax and EUX</source>
   <translation>VSImax und EUX</translation>
  </message>
  <message>
   <source>Value</source>
   <translation>Wert</translation>
  </message>
  <message>
   <source>Value axis</source>
   <translation>Werteachse</translation>
  </message>
  <message>
   <source>Values</source>
   <translation>Werte</translation>
  </message>
  <message>
   <source>Variation</source>
   <translation>Schwankung</translation>
  </message>
  <message>
   <source>Variation assumed, not measured</source>
   <translation>Schwankung angenommen, nicht gemessen</translation>
  </message>
  <message>
   <source>Vector images (.svg)</source>
   <translation>Vektorbilder (.svg)</translation>
  </message>
  <message>
   <source>Verdict</source>
   <translation>Urteil</translation>
  </message>
  <message>
   <source>Verdicts</source>
   <translation>Urteile</translation>
  </message>
  <message>
   <source>Verdicts during logon</source>
   <translation>Urteile bei der Anmeldung</translation>
  </message>
  <message>
   <source>Verdicts in steady state</source>
   <translation>Urteile im Steady State</translation>
  </message>
  <message>
   <source>View</source>
   <translation>Ansicht</translation>
  </message>
  <message>
   <source>View name (shown while presenting):</source>
   <translation>Name der Ansicht (wird beim Präsentieren angezeigt):</translation>
  </message>
  <message>
   <source>Visible columns</source>
   <translation>Sichtbare Spalten</translation>
  </message>
  <message>
   <source>Vs. baseline</source>
   <translation>Gegenüber der Basis</translation>
  </message>
  <message>
   <source>Web page (.html)</source>
   <translation>Webseite (.html)</translation>
  </message>
  <message>
   <source>Weights of the timers</source>
   <translation>Gewichte der Timer</translation>
  </message>
  <message>
   <source>What</source>
   <translation>Was</translation>
  </message>
  <message>
   <source>What can the storage itself do?</source>
   <translation>Was leistet das Storage selbst?</translation>
  </message>
  <message>
   <source>What changed from the baseline?</source>
   <translation>Was hat sich gegenüber der Basis geändert?</translation>
  </message>
  <message>
   <source>What did the tests find?</source>
   <translation>Was haben die Tests ergeben?</translation>
  </message>
  <message>
   <source>What does each configuration cost in storage I/O?</source>
   <translation>Wie viel Storage-I/O verursacht jede Konfiguration?</translation>
  </message>
  <message>
   <source>What happened here?</source>
   <translation>Was ist hier passiert?</translation>
  </message>
  <message>
   <source>What happened when?</source>
   <translation>Was geschah wann?</translation>
  </message>
  <message>
   <source>What if</source>
   <translation>Was-wäre-wenn</translation>
  </message>
  <message>
   <source>What needs a decision after the import?</source>
   <translation>Wo ist nach dem Import eine Entscheidung nötig?</translation>
  </message>
  <message>
   <source>What you did</source>
   <translation>Was Sie getan haben</translation>
  </message>
  <message>
   <source>What-if</source>
   <translation>Was-wäre-wenn</translation>
  </message>
  <message>
   <source>Wheel</source>
   <translation>Mausrad</translation>
  </message>
  <message>
   <source>When</source>
   <translation>Wann</translation>
  </message>
  <message>
   <source>Where</source>
   <translation>Wo</translation>
  </message>
  <message>
   <source>Which build changed the results?</source>
   <translation>Welcher Build hat die Ergebnisse geändert?</translation>
  </message>
  <message>
   <source>Which questions can these logs answer?</source>
   <translation>Welche Fragen können diese Aufzeichnungen beantworten?</translation>
  </message>
  <message>
   <source>Which results do you want to open?</source>
   <translation>Welche Ergebnisse möchten Sie öffnen?</translation>
  </message>
  <message>
   <source>Which slides are shown?</source>
   <translation>Welche Folien werden angezeigt?</translation>
  </message>
  <message>
   <source>Whiskers: 95 % interval (two runs: range)</source>
   <translation>Fehlerbalken: 95-%-Intervall (zwei Läufe: Spanne)</translation>
  </message>
  <message>
   <source>Whole run</source>
   <translation>Ganzer Lauf</translation>
  </message>
  <message>
   <source>Why</source>
   <translation>Warum</translation>
  </message>
  <message>
   <source>Width in pixels</source>
   <translation>Breite in Pixeln</translation>
  </message>
  <message>
   <source>Working phase</source>
   <translation>Arbeitsphase</translation>
  </message>
  <message>
   <source>Worst VMs</source>
   <translation>Aktivste VMs</translation>
  </message>
  <message>
   <source>Write</source>
   <translation>Schreiben</translation>
  </message>
  <message>
   <source>Write IOPS</source>
   <translation>Schreib-IOPS</translation>
  </message>
  <message>
   <source>Write IOPS per VM</source>
   <translation>Schreib-IOPS je VM</translation>
  </message>
  <message>
   <source>Write a &amp;note…</source>
   <translation>&amp;Notiz schreiben…</translation>
  </message>
  <message>
   <source>Write a finding</source>
   <translation>Befund schreiben</translation>
  </message>
  <message>
   <source>Write a finding…</source>
   <translation>Eigenen Befund schreiben…</translation>
  </message>
  <message>
   <source>Write cache</source>
   <translation>Schreibcache</translation>
  </message>
  <message>
   <source>Write latency</source>
   <translation>Schreiblatenz</translation>
  </message>
  <message>
   <source>Write run.toml</source>
   <translation>run.toml erstellen</translation>
  </message>
  <message>
   <source>Write run.toml…</source>
   <translation>run.toml erstellen…</translation>
  </message>
  <message>
   <source>Writes</source>
   <translation>Schreibzugriffe</translation>
  </message>
  <message>
   <source>Your own finding (listed first until you move it):</source>
   <translation>Ihr eigener Befund. Er steht an erster Stelle, bis Sie ihn verschieben:</translation>
  </message>
  <message>
   <source>Your words</source>
   <translation>Ihr Text</translation>
  </message>
  <message>
   <source>ZHC</source>
   <translation>ZHC</translation>
  </message>
  <message>
   <source>ZLC</source>
   <translation>ZLC</translation>
  </message>
  <message>
   <source>above the cache</source>
   <translation>oberhalb des Caches</translation>
  </message>
  <message>
   <source>active sessions</source>
   <translation>aktive Sitzungen</translation>
  </message>
  <message>
   <source>all VMs busy at once</source>
   <translation>alle VMs gleichzeitig</translation>
  </message>
  <message>
   <source>all machines</source>
   <translation>alle Maschinen</translation>
  </message>
  <message>
   <source>and</source>
   <translation>und</translation>
  </message>
  <message>
   <source>any phase</source>
   <translation>beliebige Phase</translation>
  </message>
  <message>
   <source>array</source>
   <translation>Array</translation>
  </message>
  <message>
   <source>as it is</source>
   <translation>unverändert</translation>
  </message>
  <message>
   <source>as needed</source>
   <translation>nach Bedarf</translation>
  </message>
  <message>
   <source>assumed</source>
   <translation>angenommen</translation>
  </message>
  <message>
   <source>at end, MB</source>
   <translation>am Ende, MB</translation>
  </message>
  <message>
   <source>at least</source>
   <translation>mindestens</translation>
  </message>
  <message>
   <source>at most</source>
   <translation>höchstens</translation>
  </message>
  <message>
   <source>at peak load, %</source>
   <translation>bei Spitzenlast, %</translation>
  </message>
  <message>
   <source>at peak, MB</source>
   <translation>Spitze, MB</translation>
  </message>
  <message>
   <source>available memory</source>
   <translation>verfügbarer Arbeitsspeicher</translation>
  </message>
  <message>
   <source>bandwidth</source>
   <translation>Bandbreite</translation>
  </message>
  <message>
   <source>bandwidth (Azure)</source>
   <translation>Bandbreite (Azure)</translation>
  </message>
  <message>
   <source>bandwidth (UDP)</source>
   <translation>Bandbreite (UDP)</translation>
  </message>
  <message>
   <source>baseline</source>
   <translation>Basis</translation>
  </message>
  <message>
   <source>below the cache</source>
   <translation>unterhalb des Caches</translation>
  </message>
  <message>
   <source>by mean</source>
   <translation>nach Mittel</translation>
  </message>
  <message>
   <source>by peak</source>
   <translation>nach Spitze</translation>
  </message>
  <message>
   <source>cache RAM used</source>
   <translation>belegter Cache-RAM</translation>
  </message>
  <message>
   <source>cache disk used</source>
   <translation>Belegung der Cache-Platte</translation>
  </message>
  <message>
   <source>cache-disk</source>
   <translation>Cache-Platte</translation>
  </message>
  <message>
   <source>caveat</source>
   <translation>Vorbehalt</translation>
  </message>
  <message>
   <source>caveats</source>
   <translation>Vorbehalte</translation>
  </message>
  <message>
   <source>change</source>
   <translation>Änderung</translation>
  </message>
  <message>
   <source>change %</source>
   <translation>Änderung %</translation>
  </message>
  <message>
   <source>change from the baseline</source>
   <translation>Änderung gegenüber der Basis</translation>
  </message>
  <message>
   <source>change from {}</source>
   <translation>Änderung gegenüber {}</translation>
  </message>
  <message>
   <source>choose columns</source>
   <translation>Spalten auswählen</translation>
  </message>
  <message>
   <source>confirm</source>
   <translation>Bestätigen</translation>
  </message>
  <message>
   <source>copy the selected rows, or all, with headers</source>
   <translation>Ausgewählte oder alle Zeilen mit Spaltenüberschriften kopieren</translation>
  </message>
  <message>
   <source>counter name</source>
   <translation>Name des Zählers</translation>
  </message>
  <message>
   <source>counter without a metric</source>
   <translation>Zähler ohne Messgröße</translation>
  </message>
  <message>
   <source>dark</source>
   <translation>Dunkel</translation>
  </message>
  <message>
   <source>day first</source>
   <translation>Tag zuerst</translation>
  </message>
  <message>
   <source>decimal comma</source>
   <translation>Dezimalkomma</translation>
  </message>
  <message>
   <source>decimal point</source>
   <translation>Dezimalpunkt</translation>
  </message>
  <message>
   <source>default layout</source>
   <translation>vorgegebenes Layout</translation>
  </message>
  <message>
   <source>default: IOPS per VM</source>
   <translation>Vorgabe: IOPS je VM</translation>
  </message>
  <message>
   <source>default: total I/O per VM</source>
   <translation>Vorgabe: Zahl der I/Os je VM</translation>
  </message>
  <message>
   <source>depth</source>
   <translation>Tiefe</translation>
  </message>
  <message>
   <source>device RAM</source>
   <translation>RAM des Zielgeräts</translation>
  </message>
  <message>
   <source>device RAM with overflow</source>
   <translation>RAM des Zielgeräts mit Überlauf</translation>
  </message>
  <message>
   <source>device disk</source>
   <translation>Platte des Zielgeräts</translation>
  </message>
  <message>
   <source>disk name</source>
   <translation>Name der Platte</translation>
  </message>
  <message>
   <source>documented</source>
   <translation>dokumentiert</translation>
  </message>
  <message>
   <source>down</source>
   <translation>absteigend</translation>
  </message>
  <message>
   <source>edit or exclude the run, or close the study</source>
   <translation>Lauf bearbeiten oder ausschließen oder Studie schließen</translation>
  </message>
  <message>
   <source>edit the finding</source>
   <translation>Befund bearbeiten</translation>
  </message>
  <message>
   <source>edited</source>
   <translation>bearbeitet</translation>
  </message>
  <message>
   <source>encoding time</source>
   <translation>Kodierzeit</translation>
  </message>
  <message>
   <source>end of {}</source>
   <translation>Ende von {}</translation>
  </message>
  <message>
   <source>ephemeral OS disk</source>
   <translation>Ephemeral OS Disk</translation>
  </message>
  <message>
   <source>error, pp</source>
   <translation>Fehler, Prozentpunkte</translation>
  </message>
  <message>
   <source>error, s</source>
   <translation>Fehler, s</translation>
  </message>
  <message>
   <source>excluded from results</source>
   <translation>aus den Ergebnissen ausgeschlossen</translation>
  </message>
  <message>
   <source>exit the presentation</source>
   <translation>Präsentation beenden</translation>
  </message>
  <message>
   <source>file name</source>
   <translation>Dateiname</translation>
  </message>
  <message>
   <source>files that are not used</source>
   <translation>nicht verwendete Dateien</translation>
  </message>
  <message>
   <source>finding</source>
   <translation>Befund</translation>
  </message>
  <message>
   <source>fixed</source>
   <translation>korrigiert</translation>
  </message>
  <message>
   <source>for example 22H2-19045.3803</source>
   <translation>zum Beispiel 22H2-19045.3803</translation>
  </message>
  <message>
   <source>frames per second</source>
   <translation>Frames je Sekunde</translation>
  </message>
  <message>
   <source>frames skipped (slow client)</source>
   <translation>übersprungene Frames, Client</translation>
  </message>
  <message>
   <source>frames skipped (slow network)</source>
   <translation>übersprungene Frames, Netz</translation>
  </message>
  <message>
   <source>frames skipped (slow server)</source>
   <translation>übersprungene Frames, Server</translation>
  </message>
  <message>
   <source>from doubling the load, %</source>
   <translation>bei doppelter Last, %</translation>
  </message>
  <message>
   <source>from run.toml</source>
   <translation>aus run.toml</translation>
  </message>
  <message>
   <source>from timestamps: {} UTC</source>
   <translation>aus den Zeitstempeln: {} UTC</translation>
  </message>
  <message>
   <source>go to the evidence</source>
   <translation>Zum Beleg</translation>
  </message>
  <message>
   <source>go to the evidence of the finding with this number</source>
   <translation>Zum Beleg des Befunds mit dieser Nummer</translation>
  </message>
  <message>
   <source>go to the first or last slide</source>
   <translation>Zur ersten oder letzten Folie</translation>
  </message>
  <message>
   <source>go to the next slide of the storyboard</source>
   <translation>Zur nächsten Folie des Storyboards</translation>
  </message>
  <message>
   <source>go to the previous slide</source>
   <translation>Zur vorigen Folie</translation>
  </message>
  <message>
   <source>guessed</source>
   <translation>vermutet</translation>
  </message>
  <message>
   <source>guesses and their reasons</source>
   <translation>Vermutungen und ihre Gründe</translation>
  </message>
  <message>
   <source>guest</source>
   <translation>Gast</translation>
  </message>
  <message>
   <source>hidden</source>
   <translation>ausgeblendet</translation>
  </message>
  <message>
   <source>hide or show the entry</source>
   <translation>Eintrag aus- oder einblenden</translation>
  </message>
  <message>
   <source>high</source>
   <translation>oben</translation>
  </message>
  <message>
   <source>highest</source>
   <translation>höchster</translation>
  </message>
  <message>
   <source>highlight the VM on all pages</source>
   <translation>VM auf allen Seiten hervorheben</translation>
  </message>
  <message>
   <source>host</source>
   <translation>Host</translation>
  </message>
  <message>
   <source>ignored</source>
   <translation>ignoriert</translation>
  </message>
  <message>
   <source>image</source>
   <translation>Bild</translation>
  </message>
  <message>
   <source>images</source>
   <translation>Bilder</translation>
  </message>
  <message>
   <source>in duration</source>
   <translation>der Dauer</translation>
  </message>
  <message>
   <source>included in results</source>
   <translation>in den Ergebnissen enthalten</translation>
  </message>
  <message>
   <source>including spares</source>
   <translation>einschließlich Reserve</translation>
  </message>
  <message>
   <source>inconclusive</source>
   <translation>nicht eindeutig</translation>
  </message>
  <message>
   <source>indicative</source>
   <translation>begrenzt</translation>
  </message>
  <message>
   <source>input delay</source>
   <translation>Eingabeverzögerung</translation>
  </message>
  <message>
   <source>instant clone</source>
   <translation>Instant Clone</translation>
  </message>
  <message>
   <source>kind of note</source>
   <translation>Art von Hinweisen</translation>
  </message>
  <message>
   <source>kinds of notes</source>
   <translation>Arten von Hinweisen</translation>
  </message>
  <message>
   <source>latency</source>
   <translation>Latenz</translation>
  </message>
  <message>
   <source>light</source>
   <translation>Hell</translation>
  </message>
  <message>
   <source>line</source>
   <translation>Zeile</translation>
  </message>
  <message>
   <source>lowest</source>
   <translation>niedrigster</translation>
  </message>
  <message>
   <source>many sessions per VM (RDS)</source>
   <translation>viele Sitzungen je VM (RDS)</translation>
  </message>
  <message>
   <source>mean</source>
   <translation>Mittel</translation>
  </message>
  <message>
   <source>mean %</source>
   <translation>Mittel, %</translation>
  </message>
  <message>
   <source>measured</source>
   <translation>gemessen</translation>
  </message>
  <message>
   <source>measured value</source>
   <translation>gemessener Wert</translation>
  </message>
  <message>
   <source>memory</source>
   <translation>Arbeitsspeicher</translation>
  </message>
  <message>
   <source>milliseconds since 1970</source>
   <translation>Millisekunden seit 1970</translation>
  </message>
  <message>
   <source>month first</source>
   <translation>Monat zuerst</translation>
  </message>
  <message>
   <source>more finding</source>
   <translation>weiterer Befund</translation>
  </message>
  <message>
   <source>more findings</source>
   <translation>weitere Befunde</translation>
  </message>
  <message>
   <source>move between cells (arrows), leave the table (Tab)</source>
   <translation>Zwischen Zellen wechseln (Pfeiltasten), die Tabelle verlassen (Tab)</translation>
  </message>
  <message>
   <source>move the finding up or down</source>
   <translation>Befund nach oben oder unten verschieben</translation>
  </message>
  <message>
   <source>move the last cursor by one sample (Shift: ten samples)</source>
   <translation>Letzten Cursor um einen Messwert bewegen (Umschalt: um zehn)</translation>
  </message>
  <message>
   <source>move the start or end of a phase</source>
   <translation>Anfang oder Ende einer Phase verschieben</translation>
  </message>
  <message>
   <source>move to the next field</source>
   <translation>Zum nächsten Feld</translation>
  </message>
  <message>
   <source>name of the limit (optional)</source>
   <translation>Name der Grenze (optional)</translation>
  </message>
  <message>
   <source>needed for IOPS</source>
   <translation>für IOPS</translation>
  </message>
  <message>
   <source>needed for RAM</source>
   <translation>für RAM</translation>
  </message>
  <message>
   <source>needed for capacity</source>
   <translation>für Kapazität</translation>
  </message>
  <message>
   <source>needed for vCPUs</source>
   <translation>für vCPUs</translation>
  </message>
  <message>
   <source>next or previous line with this cause</source>
   <translation>Nächste oder vorige Zeile mit dieser Ursache</translation>
  </message>
  <message>
   <source>no RAM cache, or size unknown</source>
   <translation>kein RAM-Cache, oder Größe unbekannt</translation>
  </message>
  <message>
   <source>no value</source>
   <translation>kein Wert</translation>
  </message>
  <message>
   <source>no verdict</source>
   <translation>kein Urteil</translation>
  </message>
  <message>
   <source>nonpaged pool</source>
   <translation>Nonpaged-Pool</translation>
  </message>
  <message>
   <source>not recognised</source>
   <translation>nicht erkannt</translation>
  </message>
  <message>
   <source>not stated</source>
   <translation>nicht angegeben</translation>
  </message>
  <message>
   <source>of</source>
   <translation>von</translation>
  </message>
  <message>
   <source>of 10</source>
   <translation>von 10</translation>
  </message>
  <message>
   <source>of IOPS per VM</source>
   <translation>der IOPS je VM</translation>
  </message>
  <message>
   <source>of a VM</source>
   <translation>einer VM</translation>
  </message>
  <message>
   <source>of cache RAM used at peak, %</source>
   <translation>des belegten Cache-RAM, Spitze, %</translation>
  </message>
  <message>
   <source>of read latency, ms</source>
   <translation>der Leselatenz, ms</translation>
  </message>
  <message>
   <source>of reads, %</source>
   <translation>der Lesezugriffe, %</translation>
  </message>
  <message>
   <source>of write latency, ms</source>
   <translation>der Schreiblatenz, ms</translation>
  </message>
  <message>
   <source>of writes, %</source>
   <translation>der Schreibzugriffe, %</translation>
  </message>
  <message>
   <source>one session per VM (VDI)</source>
   <translation>eine Sitzung je VM (VDI)</translation>
  </message>
  <message>
   <source>operations</source>
   <translation>Zugriffe</translation>
  </message>
  <message>
   <source>other</source>
   <translation>andere</translation>
  </message>
  <message>
   <source>over the best smaller step, %</source>
   <translation>gegenüber der besten kleineren Stufe, %</translation>
  </message>
  <message>
   <source>p95 of IOPS per VM</source>
   <translation>p95 der IOPS je VM</translation>
  </message>
  <message>
   <source>p95 of input delay</source>
   <translation>p95 der Eingabeverzögerung</translation>
  </message>
  <message>
   <source>packet loss</source>
   <translation>Paketverlust</translation>
  </message>
  <message>
   <source>page</source>
   <translation>Seite</translation>
  </message>
  <message>
   <source>page or view</source>
   <translation>Seite oder Ansicht</translation>
  </message>
  <message>
   <source>pages and views</source>
   <translation>Seiten und Ansichten</translation>
  </message>
  <message>
   <source>pan along the time axis</source>
   <translation>Waagerecht verschieben (Zeit)</translation>
  </message>
  <message>
   <source>pan or zoom the chart</source>
   <translation>Diagramm verschieben oder zoomen</translation>
  </message>
  <message>
   <source>peak MB/VM</source>
   <translation>Spitze, MB/VM</translation>
  </message>
  <message>
   <source>per VM or session</source>
   <translation>je VM oder Sitzung</translation>
  </message>
  <message>
   <source>per user</source>
   <translation>je Benutzer</translation>
  </message>
  <message>
   <source>percentile of the summed IOPS</source>
   <translation>Perzentil der summierten IOPS</translation>
  </message>
  <message>
   <source>persistent write-back</source>
   <translation>persistenter Write-Back</translation>
  </message>
  <message>
   <source>power</source>
   <translation>Leistung</translation>
  </message>
  <message>
   <source>pp</source>
   <translation>%-Punkte</translation>
  </message>
  <message>
   <source>predicted</source>
   <translation>vorhergesagt</translation>
  </message>
  <message>
   <source>press the button of the selected cause</source>
   <translation>Schaltfläche der ausgewählten Ursache betätigen</translation>
  </message>
  <message>
   <source>previous or next cause</source>
   <translation>Vorige oder nächste Ursache</translation>
  </message>
  <message>
   <source>queue depth</source>
   <translation>Warteschlangentiefe</translation>
  </message>
  <message>
   <source>ram</source>
   <translation>RAM</translation>
  </message>
  <message>
   <source>range</source>
   <translation>Spanne</translation>
  </message>
  <message>
   <source>read IOPS</source>
   <translation>Lese-IOPS</translation>
  </message>
  <message>
   <source>read latency</source>
   <translation>Leselatenz</translation>
  </message>
  <message>
   <source>read the values of all panels</source>
   <translation>Werte aller Teildiagramme ablesen</translation>
  </message>
  <message>
   <source>read throughput</source>
   <translation>Lesedurchsatz</translation>
  </message>
  <message>
   <source>read, change or delete the note</source>
   <translation>Notiz lesen, ändern oder löschen</translation>
  </message>
  <message>
   <source>reason, for example vCenter failed over at 09:40</source>
   <translation>Grund, z. B. Failover von vCenter um 09:40</translation>
  </message>
  <message>
   <source>remove a counter from the chart</source>
   <translation>Zähler aus dem Diagramm entfernen</translation>
  </message>
  <message>
   <source>remove the cursors</source>
   <translation>Cursor entfernen</translation>
  </message>
  <message>
   <source>remove the finding</source>
   <translation>Befund entfernen</translation>
  </message>
  <message>
   <source>rename the configuration</source>
   <translation>Konfiguration umbenennen</translation>
  </message>
  <message>
   <source>round-trip time</source>
   <translation>Roundtrip-Zeit</translation>
  </message>
  <message>
   <source>round-trip time (Azure)</source>
   <translation>Roundtrip-Zeit (Azure)</translation>
  </message>
  <message>
   <source>round-trip time (UDP)</source>
   <translation>Roundtrip-Zeit (UDP)</translation>
  </message>
  <message>
   <source>run</source>
   <translation>Lauf</translation>
  </message>
  <message>
   <source>run each</source>
   <translation>Lauf je Konfiguration</translation>
  </message>
  <message>
   <source>running</source>
   <translation>läuft</translation>
  </message>
  <message>
   <source>runs</source>
   <translation>Läufe</translation>
  </message>
  <message>
   <source>runs each</source>
   <translation>Läufe je Konfiguration</translation>
  </message>
  <message>
   <source>s after logon</source>
   <translation>s nach der Anmeldung</translation>
  </message>
  <message>
   <source>same as system</source>
   <translation>Wie das System</translation>
  </message>
  <message>
   <source>seconds since 1970</source>
   <translation>Sekunden seit 1970</translation>
  </message>
  <message>
   <source>select several runs</source>
   <translation>Mehrere Läufe auswählen</translation>
  </message>
  <message>
   <source>server</source>
   <translation>Server</translation>
  </message>
  <message>
   <source>sessions</source>
   <translation>Sitzungen</translation>
  </message>
  <message>
   <source>set a cursor at the pointer</source>
   <translation>Cursor am Mauszeiger setzen</translation>
  </message>
  <message>
   <source>shared</source>
   <translation>Shared Storage</translation>
  </message>
  <message>
   <source>show a counter in the chart</source>
   <translation>Zähler im Diagramm anzeigen</translation>
  </message>
  <message>
   <source>show everything</source>
   <translation>Alles anzeigen</translation>
  </message>
  <message>
   <source>show only this entry</source>
   <translation>Nur diesen Eintrag anzeigen</translation>
  </message>
  <message>
   <source>show the phase at the pointer</source>
   <translation>Phase unter dem Mauszeiger anzeigen</translation>
  </message>
  <message>
   <source>show the selected counters</source>
   <translation>Ausgewählte Zähler anzeigen</translation>
  </message>
  <message>
   <source>show the source of the curve or bar</source>
   <translation>Quelle der Kurve oder des Balkens anzeigen</translation>
  </message>
  <message>
   <source>show the source of the number</source>
   <translation>Quelle der Zahl anzeigen</translation>
  </message>
  <message>
   <source>shown</source>
   <translation>eingeblendet</translation>
  </message>
  <message>
   <source>simultaneous starts</source>
   <translation>gleichzeitige Starts</translation>
  </message>
  <message>
   <source>single run</source>
   <translation>einzelner Lauf</translation>
  </message>
  <message>
   <source>size of the RAM cache</source>
   <translation>Größe des Cache-RAM</translation>
  </message>
  <message>
   <source>size of the cache disk</source>
   <translation>Größe der Cache-Platte</translation>
  </message>
  <message>
   <source>slide</source>
   <translation>Folie</translation>
  </message>
  <message>
   <source>slide with results</source>
   <translation>Folie mit Ergebnissen</translation>
  </message>
  <message>
   <source>slides</source>
   <translation>Folien</translation>
  </message>
  <message>
   <source>slides with results</source>
   <translation>Folien mit Ergebnissen</translation>
  </message>
  <message>
   <source>sort</source>
   <translation>Sortieren</translation>
  </message>
  <message>
   <source>staggered starts</source>
   <translation>zeitlich verteilte Starts</translation>
  </message>
  <message>
   <source>start of {}</source>
   <translation>Beginn von {}</translation>
  </message>
  <message>
   <source>strong</source>
   <translation>hoch</translation>
  </message>
  <message>
   <source>study</source>
   <translation>Studie</translation>
  </message>
  <message>
   <source>sum</source>
   <translation>Summe</translation>
  </message>
  <message>
   <source>table</source>
   <translation>Tabelle</translation>
  </message>
  <message>
   <source>tables</source>
   <translation>Tabellen</translation>
  </message>
  <message>
   <source>text</source>
   <translation>Text</translation>
  </message>
  <message>
   <source>throughput</source>
   <translation>Durchsatz</translation>
  </message>
  <message>
   <source>time after phase start</source>
   <translation>Zeit nach Phasenbeginn</translation>
  </message>
  <message>
   <source>time after start</source>
   <translation>Zeit nach Beginn</translation>
  </message>
  <message>
   <source>unchanged</source>
   <translation>unverändert</translation>
  </message>
  <message>
   <source>undo typing</source>
   <translation>Eingabe rückgängig machen</translation>
  </message>
  <message>
   <source>unknown</source>
   <translation>nicht bekannt</translation>
  </message>
  <message>
   <source>up</source>
   <translation>aufsteigend</translation>
  </message>
  <message>
   <source>update when you release the mouse button</source>
   <translation>werden beim Loslassen der Maustaste aktualisiert</translation>
  </message>
  <message>
   <source>vCPUs per VM</source>
   <translation>vCPUs je VM</translation>
  </message>
  <message>
   <source>values</source>
   <translation>Werte</translation>
  </message>
  <message>
   <source>view</source>
   <translation>Ansicht</translation>
  </message>
  <message>
   <source>will be split</source>
   <translation>wird aufgeteilt</translation>
  </message>
  <message>
   <source>worst first</source>
   <translation>Schwerwiegendste zuerst</translation>
  </message>
  <message>
   <source>write IOPS</source>
   <translation>Schreib-IOPS</translation>
  </message>
  <message>
   <source>write a note at the pointer</source>
   <translation>Am Mauszeiger eine Notiz schreiben</translation>
  </message>
  <message>
   <source>write latency</source>
   <translation>Schreiblatenz</translation>
  </message>
  <message>
   <source>write throughput</source>
   <translation>Schreibdurchsatz</translation>
  </message>
  <message>
   <source>year first</source>
   <translation>Jahr zuerst</translation>
  </message>
  <message>
   <source>yours</source>
   <translation>von Ihnen</translation>
  </message>
  <message>
   <source>zoom the time axis around the pointer</source>
   <translation>Waagerechte Achse (Zeit) um den Mauszeiger zoomen</translation>
  </message>
  <message>
   <source>zoom the value axis around the pointer</source>
   <translation>Werteachse um den Mauszeiger zoomen</translation>
  </message>
  <message>
   <source>zoom to the dragged box</source>
   <translation>Auf das aufgezogene Rechteck zoomen</translation>
  </message>
  <message>
   <source>{count} decisions needed</source>
   <translation>{count} Entscheidungen</translation>
  </message>
  <message>
   <source>{} benchmark results</source>
   <translation>{} Benchmark-Ergebnisse</translation>
  </message>
  <message>
   <source>{} empty columns are hidden</source>
   <translation>{} leere Spalten sind ausgeblendet</translation>
  </message>
  <message>
   <source>{} files and {} run folders</source>
   <translation>{} Dateien und {} Laufordner</translation>
  </message>
  <message>
   <source>{} files not imported</source>
   <translation>{} Dateien nicht importiert</translation>
  </message>
  <message>
   <source>{} more columns</source>
   <translation>{} weitere Spalten</translation>
  </message>
  <message>
   <source>{} more lines cannot be read.</source>
   <translation>{} weitere Zeilen sind nicht lesbar.</translation>
  </message>
  <message>
   <source>{} parts are omitted</source>
   <translation>{} Teile wurden weggelassen</translation>
  </message>
  <message>
   <source>{} runs of {}</source>
   <translation>{} Läufe von {}</translation>
  </message>
  <message>
   <source>{} runs of {} configuration</source>
   <translation>{} Läufe von {} Konfiguration</translation>
  </message>
  <message>
   <source>{} runs of {} configurations</source>
   <translation>{} Läufe von {} Konfigurationen</translation>
  </message>
  <message>
   <source>{}: the format of this file is unknown. Choose the meaning of each column. The mapping applies to all files with this header.</source>
   <translation>{}: Das Format dieser Datei ist unbekannt. Wählen Sie die Bedeutung jeder Spalte. Die Zuordnung gilt für alle Dateien mit dieser Kopfzeile.</translation>
  </message>
  <message>
   <source>× other VMs</source>
   <translation>× Mittel der anderen VMs</translation>
  </message>
  <message>
   <source>× raw</source>
   <translation>× Raw Disk</translation>
  </message>
  <message>
   <source>“× raw” means IOPS of the test ÷ IOPS of the raw disk with the same settings.</source>
   <translation>„× Raw Disk“ heißt: IOPS des Tests ÷ IOPS der Raw Disk mit denselben Einstellungen.</translation>
  </message>
  <message>
   <source>←, Backspace, PgUp</source>
   <translation>←, Rücktaste, Bild auf</translation>
  </message>
  <message>
   <source>→, Space, PgDn</source>
   <translation>→, Leertaste, Bild ab</translation>
  </message>
 </context>
</TS>
